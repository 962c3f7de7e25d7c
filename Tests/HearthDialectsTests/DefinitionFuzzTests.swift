import HearthCrypto
import HearthDialects
import HearthTestSupport
import HearthTime
import HearthWire
import Testing

@Suite struct `A mutated definition` {
  private static let odd: [JSON] = [
    .null, true, false, 0, -1, 1, .int(.max), .int(.min), .double(1e300), "", "{", "}", "{}", "{{",
    "{token}", "{token?}", "/", "//", "/{", "/{a}", "a", "query:", ":", "1h", "jwt", "uuid", "*",
    "\u{0}", "é", "https://", "x:", [], [:], ["a"], ["a": 1], 204, 4, 512,
  ]

  @Test(arguments: 0..<8)
  func `is taken or refused, and serves what it takes`(seed: Int) throws {
    var chance = SplitMix(seed: UInt64(seed))
    let seeds = [Sample.json] + Fixtures.definitions.compactMap { try? JSON.parse($0.text) }
    var taken = 0
    for round in 0..<500 {
      var json = seeds[round % seeds.count]
      for _ in 0...Int.random(in: 0..<2, using: &chance) {
        json = Self.mutated(json, donors: seeds, chance: &chance)
      }
      guard let definition = try? DialectDefinition(json) else { continue }
      taken += 1
      try Self.exercise(DialectEngine(definition), chance: &chance)
    }
    #expect(taken > 10)
  }

  @Test func `as bytes never crashes`() {
    var chance = SplitMix(seed: 99)
    let seeds = Fixtures.definitions.map { Array($0.text.utf8) }
    for round in 0..<600 {
      var bytes = seeds[round % seeds.count]
      for _ in 0..<Int.random(in: 1..<4, using: &chance) {
        let place = Int.random(in: 0..<bytes.count, using: &chance)
        switch Int.random(in: 0..<3, using: &chance) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &chance)
        case 1: bytes.remove(at: place)
        default: bytes.insert(UInt8.random(in: 0...255, using: &chance), at: place)
        }
      }
      _ = try? DialectDefinition(parsing: bytes)
    }
  }

  /// Replaces, removes or doubles a value somewhere in the tree.
  private static func mutated(
    _ json: JSON, donors: [JSON], chance: inout SplitMix
  ) -> JSON {
    guard Int.random(in: 0..<5, using: &chance) > 0 else {
      return odd.randomElement(using: &chance) ?? .null
    }
    switch json {
    case .object(let object) where !object.isEmpty:
      var members = object.members
      let index = Int.random(in: 0..<members.count, using: &chance)
      switch Int.random(in: 0..<12, using: &chance) {
      case 0: members.remove(at: index)
      case 1: members.append(members[index])
      case 2: members[index].key = "x"
      case 3:
        let donor = donors.randomElement(using: &chance) ?? .null
        if let value = donor[members[index].key] { members[index].value = value }
      default: members[index].value = mutated(members[index].value, donors: donors, chance: &chance)
      }
      return .object(JSONObject(members: members))
    case .array(var elements) where !elements.isEmpty:
      let index = Int.random(in: 0..<elements.count, using: &chance)
      switch Int.random(in: 0..<8, using: &chance) {
      case 0: elements.remove(at: index)
      case 1: elements.swapAt(0, index)
      default: elements[index] = mutated(elements[index], donors: donors, chance: &chance)
      }
      return .array(elements)
    case .string(let text):
      return .string(String(text.shuffled(using: &chance)))
    case .null, .bool, .int, .double, .array, .object:
      return odd.randomElement(using: &chance) ?? .null
    }
  }

  /// Calls every endpoint with plausible and with odd values; whatever comes, it is an answer.
  private static func exercise(
    _ engine: DialectEngine, chance: inout SplitMix
  ) throws {
    let backEnd = MemoryBackEnd()
    backEnd.add(id: "u", email: "ana@example.com", phone: "+15555550100")
    let names = [
      "email", "user.email", "phone", "token", "code", "new_password", "password", "again",
      "refresh_token",
    ]
    let values: [JSON] = ["ana@example.com", "+15555550100", "old-password", "x", 123_456, .null]
    for endpoint in engine.definition.endpoints {
      var body = JSONObject()
      for name in names { body.append(name, value: values.randomElement(using: &chance) ?? .null) }
      if Bool.random(using: &chance), let code = backEnd.messages.last?.code {
        body["token"] = .string(code)
        body["code"] = .string(code)
      }
      let request = DialectRequest(
        method: endpoint.method,
        path: engine.definition.place.prefix + endpoint.template.description,
        query: FormFields(parsing: "phone=%2B15555550100"),
        headers: [(name: "User-Agent", value: "Mozilla/5.0"), (name: "Authorization", value: "x")],
        body: JSON.object(body).bytes)
      let call = try #require(engine.call(request))
      let answer = try engine.answer(call, in: backEnd, now: Timestamp(seconds: 1_800_000_000))
      #expect((200...599).contains(answer.status))
    }
  }
}
