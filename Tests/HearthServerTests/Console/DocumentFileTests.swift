import HearthTestSupport
import HearthWire
import Testing

@Suite struct `Documents in files` {
  private static let database = "databases/(default)"

  private func load(
    _ server: TestServer, format: String, content: String, parameters: String = ""
  ) async throws -> TestServer.Reply {
    try await server.send(
      "POST",
      path: "/emulator/v1/projects/demo-hearth/\(Self.database):importDocuments?collection=cities"
        + "&format=\(format)\(parameters)", body: content,
      headers: [("Content-Type", format == "csv" ? "text/csv" : "application/json")])
  }

  private func export(_ server: TestServer, format: String) async throws -> String {
    let reply = try await server.emulator(
      "POST", path: "\(Self.database):exportQuery",
      body: [
        "format": .string(format),
        "structuredQuery": ["from": [["collectionId": "cities"]]],
      ])
    #expect(reply.status == 200, "\(reply.text)")
    return reply.text
  }

  private static let csv = [
    "__id__,name,population,capital,tags,zip",
    #"bon,Bonn,327258,false,"[""rhine"",1]","53111""#,
    #"ber,"Berlin, ""Mitte""",3.5,true,,"#, "",
  ].joined(separator: "\r\n")

  @Test func `are read and written as CSV`() async throws {
    try await TestServer.open { server in
      let reply = try await load(server, format: "csv", content: Self.csv)
      #expect(reply.status == 200 && reply["written"] == 2, "\(reply.text)")
      let rows = try JSON.parse(try await export(server, format: "json")).array ?? []
      #expect(rows.map { $0["__id__"] } == ["ber", "bon"])
      #expect(rows[0]["name"] == "Berlin, \"Mitte\"" && rows[0]["capital"] == true)
      #expect(rows[0]["tags"] == nil && rows[0]["zip"] == nil)
      #expect(rows[1]["population"] == 327258 && rows[1]["zip"] == "53111")
      #expect(rows[1]["tags"] == ["rhine", 1])
      let text = try await export(server, format: "csv")
      #expect(try await load(server, format: "csv", content: text).status == 200, "\(text)")
      #expect(try await export(server, format: "csv") == text)
      let refused = try await load(server, format: "csv", content: text, parameters: "&mode=create")
      #expect(
        refused.message?.contains("line 2: a document with this id") == true, "\(refused.text)")
      #expect(
        try await load(server, format: "csv", content: text, parameters: "&mode=maybe").status
          == 400)
    }
  }

  @Test(arguments: [
    ("json", #"[{"__id__":"a","n":1},{"__id__":"b","t":{"$timestamp":"2027-01-31T09:30:00Z"}}]"#),
    ("json", #"{"a":{"n":1},"b":{"t":{"$timestamp":"2027-01-31T09:30:00Z"}}}"#),
    (
      "ndjson",
      "{\"__id__\":\"a\",\"n\":1}\n\n{\"__id__\":\"b\",\"t\":{\"$timestamp\":\"2027-01-31T09:30:00Z\"}}\n"
    ),
  ])
  func `are read as JSON`(format: String, content: String) async throws {
    try await TestServer.open { server in
      let reply = try await load(server, format: format, content: content)
      #expect(reply.status == 200, "\(reply.text)")
      let lines = try await export(server, format: "ndjson").split(separator: "\n")
      #expect(
        lines == [
          #"{"__id__":"a","n":1}"#,
          #"{"__id__":"b","t":{"$timestamp":"2027-01-31T09:30:00Z"}}"#,
        ])
    }
  }

  @Test(arguments: [
    ("csv", "a,b\n1,2\n3\n", 3), ("csv", "a\n\"x\ny\n", 2), ("csv", "__id__\n1\n2\n1\n", 4),
    ("csv", "__id__\nx\na/b\n", 3), ("csv", "a,a\n", 1), ("csv", "", 1),
    ("json", "[\n{},\n{\"a\":1},\n2]", 4), ("json", "[\n{},\n{", 3),
    ("json", "[{},\n  {\"a\": {\"$timestamp\": \"x\"}}]", 2),
    ("ndjson", "{}\n{}\n[]\n", 3), ("ndjson", "{}\n{\n", 2),
  ])
  func `are refused with the line, and nothing is written`(
    format: String, content: String, line: Int
  ) async throws {
    try await TestServer.open { server in
      let reply = try await load(server, format: format, content: content)
      #expect(reply.status == 400, "\(reply.text)")
      #expect(reply.message?.contains("line \(line):") == true, "\(reply.text)")
      let databases = try await server.emulator("GET", path: "databases")
      #expect(databases["databases"] == [["id": "(default)", "documents": 0]])
    }
  }

  @Test func `are counted by database and collection`() async throws {
    try await TestServer.open { server in
      #expect(
        try await load(server, format: "csv", content: "id,a\nx,1\ny,2\n", parameters: "&id=id")
          .status == 200)
      let nested = "/v1/projects/demo-hearth/databases/second/documents/a/b/c/d"
      _ = try await server.send(
        "PATCH", path: nested, body: #"{"fields":{}}"#,
        headers: [("Authorization", "Bearer owner"), ("Content-Type", "application/json")])
      let databases = try await server.emulator("GET", path: "databases")
      #expect(
        databases["databases"] == [
          ["id": "(default)", "documents": 2], ["id": "second", "documents": 1],
        ])
      let root = try await server.emulator("GET", path: "\(Self.database)/collections")
      #expect(root["collections"] == [["id": "cities", "documents": 2]])
      let second = try await server.emulator("GET", path: "databases/second/collections")
      #expect(second["collections"] == [["id": "a", "documents": 0]])
      let below = try await server.emulator("GET", path: "databases/second/collections?parent=a/b")
      #expect(below["collections"] == [["id": "c", "documents": 1]])
    }
  }
}
