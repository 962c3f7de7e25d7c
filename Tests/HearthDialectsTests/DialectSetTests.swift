import HearthDialects
import HearthWire
import Testing

@Suite struct `A set of dialects` {
  @Test func `finds the longest prefix on the right port`() throws {
    let wide = try Sample.definition([
      Edit("/name", value: "wide"), Edit("/serve", value: ["prefix": "/api"]),
    ])
    let narrow = try Sample.definition([
      Edit("/name", value: "narrow"), Edit("/serve", value: ["prefix": "/api/v1"]),
    ])
    let apart = try Sample.definition([
      Edit("/name", value: "apart"), Edit("/serve", value: ["port": 4200]),
    ])
    let set = try DialectSet([wide, narrow, apart])
    #expect(set.ports == [4200])
    func name(_ path: String, port: Int?) -> String? {
      set.call(DialectRequest(method: "GET", path: path), port: port)?.engine.definition.name
    }
    #expect(name("/api/v1/login", port: nil) == "narrow")
    #expect(name("/api/v1", port: nil) == "narrow")
    #expect(name("/api/v11/login", port: nil) == "wide")
    #expect(name("/apis", port: nil) == nil)
    #expect(name("/anything", port: 4200) == "apart")
    #expect(name("/api", port: 4200) == "apart")
    #expect(name("/anything", port: 4300) == nil)
  }
}
