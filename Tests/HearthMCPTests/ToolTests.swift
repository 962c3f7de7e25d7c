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
        "wait_for_mail", "open_link", "register_device", "create_user", "sign_in", "mint_token",
        "query", "write",
        "explain_denial", "try_rules", "missing_indexes", "advance_clock", "add_fault", "snapshot",
        "restore", "rewind", "requests",
      ])
    let place = AgentGuide.Place(
      auth: "127.0.0.1:7001", firestore: "127.0.0.1:7002", console: "127.0.0.1:7003",
      isSecure: true, project: "demo-x")
    let guide = AgentGuide.text(place)
    #expect(ToolTable.all.allSatisfy { guide.contains($0.name) })
    #expect(guide.contains("https://127.0.0.1:7001/emulator/v1/projects/demo-x"))
    #expect(guide.contains("https://127.0.0.1:7003/mcp"))
    #expect(guide.contains("FIRESTORE_EMULATOR_HOST=127.0.0.1:7002"))
    let places = ["{auth}", "{firestore}", "{console}", "{scheme}", "{project}"]
    #expect(!places.contains { guide.contains($0) })
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
    ("write", ["path": "a/b", "data": ["x": ["$vector": ["a"]]]] as JSON, "[1, 2.5]"),
    ("write", ["path": "a/b", "data": ["x": ["$map": [1]]]] as JSON, "{\"$map\": {"),
    ("write", ["path": "a/b", "data": ["x": ["$double": "3"]]] as JSON, "\"NaN\""),
    ("write", ["path": "a", "mode": "delete"] as JSON, "Only documents are deleted"),
    ("write", ["path": "a/../b", "data": [:]] as JSON, "is not the path"),
    ("open_link", [:] as JSON, "\"link\" or \"to\" is missing"),
    ("open_link", ["link": "https://example.com/x?mode=resetPassword"] as JSON, "was not opened"),
    ("open_link", ["link": "http://h/emulator/action?mode=resetPassword"] as JSON, "newPassword"),
    ("wait_for_mail", ["send": true] as JSON, "\"send\" needs"),
    (
      "wait_for_mail", ["send": true, "to": "a@example.com", "type": "SMS"] as JSON,
      "PASSWORD_RESET, VERIFY_EMAIL, EMAIL_SIGNIN"
    ),
    ("advance_clock", [:] as JSON, "\"by\": \"0s\""),
    ("advance_clock", ["reset": false] as JSON, "needs one of"),
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
    let answer = await hearth.use(tool, arguments: arguments)
    #expect(
      answer.hasPrefix("!") && answer.contains(words) && answer.contains("Next: "), "\(answer)")
    #expect(hearth.calls.isEmpty)
  }

  @Test func `null counts as left out`() async {
    let hearth = FakeHearth()
    #expect(await hearth.use("snapshot", arguments: ["name": .null]) == "{}")
    #expect(hearth.calls == ["GET /emulator/v1/projects/demo-test/snapshots"])
  }

  @Test func `a project may be named, and is encoded`() async {
    let hearth = FakeHearth()
    _ = await hearth.use("snapshot", arguments: ["project": "demo/../x"])
    #expect(hearth.calls == ["GET /emulator/v1/projects/demo%2F..%2Fx/snapshots"])
  }

  @Test func `a long answer is cut and stays JSON`() async throws {
    let items = JSON.array((0..<900).map { ["id": .int($0), "text": "a \"quoted\" text"] })
    let list: JSON = ["short": [1], "snapshots": items, "more": true]
    let answer = try JSON.parse(await FakeHearth(list.text).use("snapshot"))
    let kept = try #require(answer["snapshots"]?.array)
    #expect(answer.text.utf8.count <= 16_000 && answer.text.utf8.count > 15_000)
    #expect(kept == Array(try #require(items.array).prefix(kept.count)) && kept.count > 300)
    #expect(answer["short"] == [1] && answer["more"] == true)
    #expect(
      answer["cut"]?.string?.hasPrefix(
        "The last \(900 - kept.count) of 900 snapshots are left out.") == true)
  }

  @Test(arguments: ["é", "\"", "x\u{0}"])
  func `a long answer without items is cut at a whole character`(part: String) async throws {
    let text = JSON.string("x" + String(repeating: part, count: 20_000)).text
    for body in ["{\"now\": \(text)}", "{\"list\": [\(text)]}", "[\(text)]", text] {
      let answer = try JSON.parse(await FakeHearth(body).use("snapshot"))
      #expect(answer.text.utf8.count <= 16_000)
      #expect(answer["cut"]?.string?.contains("this is its start") == true)
      #expect(answer["start"]?.string?.hasSuffix("…") == true)
    }
    #expect("aéé".shortened(to: 2) == "a…" && "aéé".shortened(to: 3) == "aé…")
    #expect("aéé".shortened(to: 5) == "aéé")
  }

  @Test(arguments: [
    (400, "No matching index", "Correct the arguments and call query again, for example with {"),
    (400, "INVALID_ARGUMENT : a project id has at most 128 bytes", "such as demo-test-1"),
    (429, "RESOURCE_EXHAUSTED", "add_fault"), (503, "UNAVAILABLE", "add_fault"),
    (400, String(repeating: "x", count: 30_000), "Correct the arguments"),
  ])
  func `each refusal has advice`(status: Int, message: String, words: String) async throws {
    let hearth = FakeHearth(status: status, #"{"error": {"message": "\#(message)"}}"#)
    let answer = await hearth.use("query", arguments: ["collection": "users"])
    let advice = try #require(answer.firstRange(of: "\nNext: "))
    #expect(answer[advice.upperBound...].contains(words), "\(answer)")
    #expect(answer.utf8.count <= 16_000)
  }

  @Test func `a mail that verifies an address is asked for by its user`() async {
    let hearth = FakeHearth { call in
      let body =
        call.path.hasSuffix("accounts:lookup")
        ? #"{"users": [{"localId": "ann"}]}"# : #"{"idToken": "t"}"#
      let isRight =
        !call.path.hasSuffix(":sendOobCode") || call.body?["idToken"] == "t"
      return HearthReply(status: isRight ? 200 : 400, body: Array(body.utf8))
    }
    let answer = await hearth.use(
      "wait_for_mail", arguments: ["to": "ann@example.com", "type": "VERIFY_EMAIL", "send": true])
    #expect(!answer.hasPrefix("!"), "\(answer)")
    #expect(
      hearth.calls.map { $0.split(separator: "/").last?.prefix { $0 != "?" } } == [
        "accounts:lookup", "accounts:actAs", "accounts:sendOobCode", "latest",
      ])
    let nobody = await FakeHearth("{}").use(
      "wait_for_mail", arguments: ["to": "no@example.com", "type": "VERIFY_EMAIL", "send": true])
    #expect(nobody.hasPrefix("!EMAIL_NOT_FOUND") && nobody.contains("create_user"))
  }

  @Test func `a refusal of the server says what to do next`() async {
    let hearth = FakeHearth(status: 400, #"{"error": {"message": "EMAIL_EXISTS"}}"#)
    let answer = await hearth.use("create_user", arguments: ["email": "a@example.com"])
    #expect(answer.hasPrefix("!EMAIL_EXISTS\nNext: Use sign_in"))
  }

  private static let values = FirestoreJSON(project: "p", database: "d")

  @Test func `values of Firestore come back as they were`() throws {
    let value: JSON = [
      "a": 1, "b": .double(1.5), "c": ["x", true, .null],
      "d": ["$timestamp": "2027-01-01T00:00:00Z"],
      "e": ["$bytes": "AAEC"], "f": ["$geopoint": [.double(51.5), 1]], "g": ["h": [:]],
      "i": ["$double": "NaN"], "j": ["$reference": "a/b"], "k": ["$double": 3],
      "l": ["$vector": [1, .double(2.5), "NaN"]], "m": ["$map": ["$double": 3]],
      "n": ["$map": ["$map": ["$vector": [1]]]], "o": ["$vector": []],
      "p": ["$reference": "projects/q/databases/d/documents/a/b"], "q": ["$x": 1, "y": 2],
    ]
    #expect(Self.values.plain(try Self.values.typed(value)) == value)
  }

  @Test func `references are relative to the database`() throws {
    let full: JSON = ["referenceValue": "projects/p/databases/d/documents/a/b"]
    #expect(try Self.values.typed(["$reference": "a/b"]) == full)
    #expect(
      try Self.values.typed(["$reference": "projects/p/databases/d/documents/a/b"]) == full)
  }

  @Test func `whole doubles are told from integers`() {
    let large: JSON = ["doubleValue": .double(1e20)]
    #expect(Self.values.plain(large) == ["$double": .double(1e20)])
    #expect(Self.values.plain(["doubleValue": 3]) == ["$double": 3])
    #expect(Self.values.plain(["doubleValue": .double(3.5)]) == .double(3.5))
    #expect(Self.values.plain(["integerValue": "3"]) == 3)
  }

  @Test func `a trace names the smallest false part with its values`() {
    func node(_ source: String, value: String, type: String, children: [JSON] = []) -> JSON {
      [
        "source": .string(source), "value": .string(value), "type": .string(type),
        "evaluated": true, "children": .array(children),
      ]
    }
    let tree = node(
      "a == b && c", value: "false", type: "bool",
      children: [
        node(
          "a == b", value: "false", type: "bool",
          children: [node("a", value: "1", type: "int"), node("2", value: "2", type: "int")]),
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
        .use(tool.name, arguments: .object(JSONObject(members: members)))
    }
  }
}
