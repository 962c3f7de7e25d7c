import HearthDialects
import HearthWire
import Testing

@Suite struct `A set of dialects` {
  @Test func `finds the longest prefix on the right port`() throws {
    let wide = try Sample.definition([
      Edit("/name", "wide"), Edit("/serve", ["prefix": "/api"]),
    ])
    let narrow = try Sample.definition([
      Edit("/name", "narrow"), Edit("/serve", ["prefix": "/api/v1"]),
    ])
    let apart = try Sample.definition([Edit("/name", "apart"), Edit("/serve", ["port": 4200])])
    let set = try DialectSet([wide, narrow, apart])
    #expect(set.ports == [4200])
    func name(_ path: String, _ port: Int?) -> String? {
      set.call(DialectRequest(method: "GET", path: path), port: port)?.engine.definition.name
    }
    #expect(name("/api/v1/login", nil) == "narrow")
    #expect(name("/api/v1", nil) == "narrow")
    #expect(name("/api/v11/login", nil) == "wide")
    #expect(name("/apis", nil) == nil)
    #expect(name("/anything", 4200) == "apart")
    #expect(name("/api", 4200) == "apart")
    #expect(name("/anything", 4300) == nil)
  }
}
