import HearthCrypto
import HearthTestSupport
import HearthWire
import Testing

@testable import HearthMCP

@Suite struct `The Model Context Protocol` {
  private let hearth = FakeHearth()

  @Test(arguments: ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
  func `a handshake agrees on the revision of the client`(revision: String) async {
    let answer = await hearth.ask("initialize", params: ["protocolVersion": .string(revision)])
    #expect(answer["result"]?["protocolVersion"]?.string == revision)
    #expect(answer["result"]?["serverInfo"]?["name"] == "hearth")
    #expect(answer["result"]?["resultType"] == nil)
  }

  @Test(arguments: ["1999-01-01", "2026-07-28", ""])
  func `a handshake for another revision agrees on the newest with one`(revision: String) async {
    let answer = await hearth.ask("initialize", params: ["protocolVersion": .string(revision)])
    #expect(answer["result"]?["protocolVersion"] == "2025-11-25")
  }

  private static func meta(_ revision: JSON) -> JSON {
    [
      "_meta": [
        MCPRevision.versionKey: revision, "io.modelcontextprotocol/clientCapabilities": [:],
      ]
    ]
  }

  @Test func `without a handshake, results say that they are complete`() async {
    let found = await hearth.ask("server/discover", params: Self.meta("2026-07-28"))
    #expect(found["result"]?["supportedVersions"] == ["2026-07-28"])
    for method in ["server/discover", "tools/list"] {
      let result = await hearth.ask(method, params: Self.meta("2026-07-28"))["result"]
      #expect(result?["resultType"] == "complete")
      #expect(result?["cacheScope"] == "public")
      #expect(result?["_meta"]?[MCPRevision.serverKey]?["version"] == "1.0")
    }
  }

  @Test func `an unknown revision is refused with those that are known`() async {
    let answer = await hearth.ask("tools/list", params: Self.meta("2099-01-01"))
    #expect(answer["error"]?["code"] == -32022)
    #expect(answer["error"]?["data"]?["supported"] == ["2026-07-28"])
    #expect(await hearth.ask("ping", params: Self.meta(7))["error"]?["code"] == -32602)
    #expect(await hearth.ask("server/discover")["error"]?["code"] == -32602)
  }

  @Test func `unknown methods and tools are errors of the protocol`() async {
    #expect(await hearth.ask("resources/list")["error"]?["code"] == -32601)
    #expect(await hearth.ask("tools/call")["error"]?["code"] == -32602)
    let answer = await hearth.ask("tools/call", params: ["name": "wait_for_mial"])
    #expect(
      answer["error"]?["message"]
        == "Unknown tool: wait_for_mial. Did you mean wait_for_mail?")
    #expect(await hearth.ask("ping")["result"] == [:])
  }

  @Test(arguments: [
    ("", -32700), ("{", -32700), ("[]", -32600), ("7", -32600), ("{}", -32600),
    (#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600),
    (#"{"jsonrpc":"2.0","id":1}"#, -32600),
    (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
    (#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32600),
    (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}"#, -32600),
  ])
  func `what is not a message is refused`(text: String, code: Int) {
    guard case .invalid(let error, _) = MCPMessage(Array(text.utf8)) else {
      Issue.record("\(text) was taken")
      return
    }
    #expect(error.code.rawValue == Int64(code))
  }

  @Test func `no bytes break the reader of messages`() {
    var random = SplitMix(seed: 20)
    let valid = Array(
      #"{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"query","arguments":{}}}"#
        .utf8)
    for _ in 0..<5000 {
      var bytes = valid
      for _ in 0..<random.number(1...6) {
        let place = random.number(0...bytes.count - 1)
        if random.chance(30) {
          bytes.remove(at: place)
        } else {
          bytes[place] = UInt8(random.number(0...255))
        }
      }
      _ = MCPMessage(bytes)
    }
  }

  @Test func `lines are the same however they are cut`() {
    let text = Array("{\"a\":1}\r\n\n{\"b\":\"é\"}\n0123456789012\nlast".utf8)
    let expected: [MCPLines.Line] = [
      .message(Array("{\"a\":1}".utf8)), .message(Array("{\"b\":\"é\"}".utf8)), .tooLong,
      .message(Array("last".utf8)),
    ]
    var random = SplitMix(seed: 1)
    for _ in 0..<200 {
      var lines = MCPLines(longest: 12)
      var found: [MCPLines.Line] = []
      var rest = text[...]
      while !rest.isEmpty {
        let count = random.number(1...rest.count)
        found += lines.feed(rest.prefix(count))
        rest = rest.dropFirst(count)
      }
      #expect(found + lines.finish() == expected)
    }
  }
}

@Suite struct `MCP over HTTP` {
  private func exchange(_ body: String, headers: [String: String]) async -> MCPExchange {
    await MCPExchange(Array(body.utf8), header: { headers[$0] }, answeredBy: FakeHearth().server)
  }

  @Test func `requests are answered, and other messages are taken`() async {
    #expect(
      await exchange(#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, headers: [:]).status == 200)
    let note = await exchange(
      #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, headers: [:])
    #expect(note.status == 202 && note.body == nil)
    #expect(await exchange("nonsense", headers: [:]).status == 400)
  }

  @Test func `headers must say what the body says`() async {
    let body = """
      {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"requests","_meta":\
      {"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}
      """
    let right = [
      "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "requests",
    ]
    #expect(await exchange(body, headers: right).status == 200)
    for name in right.keys {
      var wrong = right
      wrong[name] = "other"
      let refused = await exchange(body, headers: wrong)
      #expect(refused.status == 400 && refused.body?["error"]?["code"] == -32020)
    }
    let ping = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#
    #expect(await exchange(ping, headers: ["mcp-protocol-version": "2025-11-25"]).status == 200)
    #expect(await exchange(ping, headers: ["mcp-protocol-version": "2099-01-01"]).status == 400)
    #expect(await exchange(ping, headers: ["mcp-protocol-version": "2026-07-28"]).status == 400)
  }
}
