import HearthCrypto
import HearthTestSupport
import HearthWire
import Testing

@testable import HearthMCP

@Suite struct `Tools of agents` {
  @Test(arguments: ToolTable.all.map { $0.name })
  func `each tool takes its own example`(name: String) throws {
    let tool = try #require(ToolTable.tool(name))
    #expect(throws: Never.self) { _ = try Arguments(tool.example, for: tool) }
    let description = tool.description
    #expect(description["inputSchema"]?["type"] == "object")
    #expect(description["description"]?.string?.contains("Example: {") == true)
    let names = tool.parameters.map(\.name)
    #expect(Set(names).count == names.count)
  }

  @Test func `the tools are those of the guide`() {
    #expect(
      ToolTable.all.map { $0.name } == [
        "wait_for_mail", "open_link", "create_user", "sign_in", "mint_token", "query", "write",
        "explain_denial", "try_rules", "missing_indexes", "advance_clock", "add_fault", "snapshot",
        "restore", "requests",
      ])
    #expect(ToolTable.all.allSatisfy { AgentGuide.text.contains($0.name) })
  }

  @Test(arguments: [
    ("sign_in", [:] as JSON, "\"email\" is missing"),
    ("sign_in", ["emial": "a"] as JSON, "Did you mean email?"),
    ("sign_in", ["email": 7] as JSON, "\"email\" must be a string"),
    ("sign_in", ["email": "a"] as JSON, "\"password\" or \"code\" is missing"),
    ("sign_in", [1] as JSON, "must be an object"),
    ("query", [:] as JSON, "\"path\" or \"collection\" is missing"),
    ("query", ["path": "users"] as JSON, "is not the path of a document"),
    ("query", ["collection": "users/ann"] as JSON, "is not the path of a collection"),
    ("query", ["collection": "a", "limit": 1000] as JSON, "must be from 1 to 100"),
    (
      "query", ["collection": "a", "where": [["field": "b", "op": "~"]]] as JSON, "array-contains"
    ),
    ("query", ["collection": "a", "orderBy": [7]] as JSON, "\"orderBy\" has names"),
    ("write", ["path": "a/b"] as JSON, "\"data\" is missing"),
    ("write", ["path": "a/b", "data": ["x": ["$time": 1]]] as JSON, "$timestamp"),
    ("write", ["path": "a", "mode": "delete"] as JSON, "Only documents are deleted"),
    ("write", ["path": "a/../b", "data": [:]] as JSON, "is not the path"),
    ("open_link", [:] as JSON, "\"link\" or \"to\" is missing"),
    ("open_link", ["link": "https://example.com/x?mode=resetPassword"] as JSON, "was not opened"),
    ("open_link", ["link": "http://h/emulator/action?mode=resetPassword"] as JSON, "newPassword"),
    ("wait_for_mail", ["send": true] as JSON, "\"send\" needs"),
    ("wait_for_mail", ["seconds": 61] as JSON, "must be from 0 to 60"),
    ("add_fault", ["operation": "*"] as JSON, "A fault has \"operation\" and one of"),
    ("add_fault", ["operation": "*", "error": "A", "status": 500] as JSON, "and one of"),
    ("try_rules", ["method": "read", "path": "a/b"] as JSON, "must be one of get, list"),
    ("restore", [:] as JSON, "\"name\" is missing"),
  ])
  func `bad arguments are answered with what to do`(
    tool: String, arguments: JSON, words: String
  ) async {
    let hearth = FakeHearth()
    let answer = await hearth.use(tool, arguments)
    #expect(
      answer.hasPrefix("!") && answer.contains(words) && answer.contains("Next: "), "\(answer)")
    #expect(hearth.calls.isEmpty)
  }

  @Test func `null counts as left out`() async {
    let hearth = FakeHearth()
    #expect(await hearth.use("advance_clock", ["by": .null]) == "{}")
    #expect(hearth.calls == ["GET /emulator/v1/projects/demo-test/clock"])
  }

  @Test func `a project may be named, and is encoded`() async {
    let hearth = FakeHearth()
    _ = await hearth.use("snapshot", ["project": "demo/../x"])
    #expect(hearth.calls == ["GET /emulator/v1/projects/demo%2F..%2Fx/snapshots"])
  }

  @Test func `a long answer is cut at a whole character`() async {
    let text = String(repeating: "é", count: 20_000)
    let answer = await FakeHearth("{\"now\": \"x\(text)\"}").use("advance_clock")
    #expect(answer.utf8.count < 16_200)
    #expect(answer.contains("The answer was cut"))
    #expect("aéé".shortened(to: 2) == "a…" && "aéé".shortened(to: 3) == "aé…")
    #expect("aéé".shortened(to: 5) == "aéé")
  }

  @Test func `a refusal of the server says what to do next`() async {
    let hearth = FakeHearth(status: 400, #"{"error": {"message": "EMAIL_EXISTS"}}"#)
    let answer = await hearth.use("create_user", ["email": "a@example.com"])
    #expect(answer.hasPrefix("!EMAIL_EXISTS\nNext: Use sign_in"))
  }

  @Test func `values of Firestore come back as they were`() throws {
    let value: JSON = [
      "a": 1, "b": .double(1.5), "c": ["x", true, .null],
      "d": ["$timestamp": "2027-01-01T00:00:00Z"],
      "e": ["$bytes": "AAEC"], "f": ["$geopoint": [.double(51.5), 1]], "g": ["h": [:]],
      "i": ["$double": "NaN"], "j": ["$reference": "projects/p/databases/d/documents/a/b"],
    ]
    #expect(FirestoreJSON.plain(try FirestoreJSON.typed(value)) == value)
  }

  @Test func `a trace names the smallest false part with its values`() {
    func node(_ source: String, _ value: String, _ type: String, _ children: [JSON] = []) -> JSON {
      [
        "source": .string(source), "value": .string(value), "type": .string(type),
        "evaluated": true, "children": .array(children),
      ]
    }
    let tree = node(
      "a == b && c", "false", "bool",
      [
        node("a == b", "false", "bool", [node("a", "1", "int"), node("2", "2", "int")]),
        ["source": "c", "evaluated": false],
      ])
    let trace = RuleTrace.allows(["allows": [["line": 4, "column": 2, "tree": tree]]])
    #expect(
      trace.array?.first?["because"] == [
        ["expression": "a == b", "value": "false", "with": ["a": "1"]]
      ])
    #expect(trace.array?.first?["at"] == "rules:4:2")
  }

  @Test func `no arguments break a tool`() async {
    var random = SplitMix(seed: 7)
    let values: [JSON] = [
      .null, true, 0, -1, .int(.max), .double(1e300), "", "a/b", "$x", [], [:], [[:]],
      ["$double": [:]], .string(String(repeating: "x", count: 300)),
    ]
    for _ in 0..<3000 {
      let tool = random.pick(ToolTable.all)
      let members = tool.parameters.filter { _ in random.chance(50) }.map {
        (key: $0.name, value: random.pick(values))
      }
      let body = random.pick(values).text
      _ = await FakeHearth(status: random.pick([200, 400, 404]), body)
        .use(tool.name, .object(JSONObject(members: members)))
    }
  }
}
