import HearthDialects
import HearthTime
import HearthWire
import Testing

@Suite struct `Tokens of every kind` {
  @Test(
    arguments: [
      (["kind": "digits", "length": 4], "0123456789", 4),
      (["kind": "alphanumeric", "length": 20], nil, 20),
      (["kind": "hex", "length": 64], "0123456789abcdef", 64),
      (["kind": "base64url", "length": 43], nil, 43),
      (["kind": "characters", "alphabet": "BCDFGHJK", "length": 10], "BCDFGHJK", 10),
      (["kind": "uuid"], "0123456789abcdef-", 36),
      (["kind": "jwt"], nil, nil),
    ] as [(JSON, String?, Int?)])
  func `are drawn, mailed and known again`(format: JSON, alphabet: String?, length: Int?) throws {
    var token = format.object ?? JSONObject()
    token.append("lifetime", value: "10m")
    let engine = try Sample.engine([Edit("/token", value: .object(token))])
    let backEnd = MemoryBackEnd()
    backEnd.add(id: "ana", email: "ana@example.com", phone: "+15555550100")
    let now = Timestamp(seconds: 1_800_000_000)
    let request = DialectRequest(
      method: "POST", path: "/auth/forgot", body: Array(#"{"phone":"+15555550100"}"#.utf8))
    let call = try #require(engine.call(request))
    _ = try engine.answer(call, in: backEnd, now: now)
    let code = try #require(backEnd.messages.last?.code)
    if let alphabet { #expect(code.allSatisfy { alphabet.contains($0) }) }
    if let length {
      #expect(code.count == length)
    } else {
      #expect(code.split(separator: ".").count == 3)
    }
    let check = try #require(
      engine.call(DialectRequest(method: "GET", path: "/auth/tokens/\(code)")))
    #expect(try engine.answer(check, in: backEnd, now: now).outcome == .valid)
  }

  /// Four digits give ten thousand codes; each is given to one account at a time.
  @Test func `repeat for no two accounts`() throws {
    let engine = try Sample.engine([
      Edit("/token", value: ["kind": "digits", "length": 4, "lifetime": "10m"]),
      Edit("/limits", value: nil),
    ])
    let backEnd = MemoryBackEnd()
    for number in 100..<900 {
      backEnd.add(id: "\(number)", phone: "+15555550\(number)")
      let body = Array(#"{"phone":"+15555550\#(number)"}"#.utf8)
      let call = try #require(
        engine.call(DialectRequest(method: "POST", path: "/auth/forgot", body: body)))
      _ = try engine.answer(call, in: backEnd, now: Timestamp(seconds: 1_800_000_000))
    }
    #expect(Set(backEnd.messages.compactMap(\.code)).count == 800)
  }
}
