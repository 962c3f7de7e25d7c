import HearthDialects
import HearthTestSupport
import HearthTime
import HearthWire
import Testing

/// Plays the steps of a case against an engine, and records an issue at each that does not hold.
struct CaseRunner {
  private let engine: DialectEngine
  private let name: String
  private let backEnd = MemoryBackEnd()
  private let clock = ManualClock()
  private var variables: [String: String] = [:]
  private var seenMessages = 0
  private var accounts = 0

  init(_ definition: DialectDefinition, name: String) {
    engine = DialectEngine(definition)
    self.name = name
  }

  mutating func run(_ steps: [JSON]) throws {
    for (index, step) in steps.enumerated() { try run(step, place: "\(name), step \(index + 1)") }
  }

  private mutating func run(_ step: JSON, place: String) throws {
    if let account = step["account"] {
      accounts += 1
      backEnd.add(
        id: "user\(accounts)", email: account["email"]?.string, phone: account["phone"]?.string,
        password: account["password"]?.string ?? "", displayName: account["displayName"]?.string)
    } else if let time = step["advance"]?.string {
      let lifetime = try #require(LifetimeText.seconds(time), "\(place): \(time)")
      clock.advance(by: .seconds(lifetime))
    } else if let path = (step["post"] ?? step["get"])?.string {
      try send(step, path: path, place: place)
    } else if let mail = step["mail"] {
      try checkMail(mail, step: step, place: place)
    } else if step["noMail"] != nil {
      #expect(backEnd.messages.count == seenMessages, "\(place): no mail")
    } else if let end = step["settled"]?.string {
      #expect(backEnd.settled.last?.end.rawValue == end, "\(place): settled")
    } else if let signIn = step["signIn"] {
      let works = backEnd.signsIn(filled(signIn["email"]), password: filled(signIn["password"]))
      #expect(works == step["works"]?.bool, "\(place): signs in")
    } else if let steps = step["steps"]?.array {
      for _ in 0..<(step["repeat"]?.integer ?? 1) {
        for inner in steps { try run(inner, place: place) }
      }
    } else {
      Issue.record("\(place): is no step")
    }
  }

  private mutating func send(_ step: JSON, path: String, place: String) throws {
    var headers = [(name: "Content-Type", value: "application/json")]
    for (name, value) in step["headers"]?.object?.members ?? [] {
      headers.append((name: name, value: filled(value)))
    }
    let body = step["text"]?.string ?? step["body"].map { filledTree($0).text } ?? ""
    let request = DialectRequest(
      method: step["post"] == nil ? "GET" : "POST", path: path, headers: headers,
      body: Array(body.utf8))
    guard let call = engine.call(request) else {
      #expect(step["unserved"] != nil, "\(place): is not served")
      return
    }
    let answer = try engine.answer(call, in: backEnd, now: clock.now)
    #expect(answer.status == Int(step["status"]?.integer ?? -1), "\(place): \(answer)")
    if let expected = step["reply"] {
      let expected = filledTree(expected)
      let body = answer.body ?? .null
      #expect(
        Pattern.matches(body, pattern: expected), "\(place): \(body.text) is not \(expected.text)")
    }
    for (variable, pointer) in step["keep"]?.object?.members ?? [] {
      var value = answer.body
      for key in (pointer.string ?? "").split(separator: "/") { value = value?[String(key)] }
      variables[variable] = try #require(value?.string, "\(place): keeps \(variable)")
    }
  }

  private mutating func checkMail(_ expected: JSON, step: JSON, place: String) throws {
    try #require(backEnd.messages.count == seenMessages + 1, "\(place): one more message")
    let message = try #require(backEnd.messages.last)
    seenMessages += 1
    if let variable = step["code"]?.string { variables[variable] = message.code }
    let fields: [(name: String, value: String?)] = [
      ("to", message.recipient), ("type", message.purpose.rawValue), ("subject", message.subject),
      ("text", message.text), ("html", message.html), ("link", message.link),
      ("code", message.code),
    ]
    for (name, value) in fields {
      guard let pattern = expected[name].map(filledTree) else { continue }
      let value = value.map(JSON.string) ?? .null
      #expect(Pattern.matches(value, pattern: pattern), "\(place): \(name) is \(value.text)")
    }
    if let length = expected["codeLength"]?.integer {
      #expect(message.code?.count == Int(length), "\(place): length of the code")
    }
    if let alphabet = expected["codeOf"]?.string {
      let isDrawn = message.code?.allSatisfy { alphabet.contains($0) }
      #expect(isDrawn == true, "\(place): alphabet of the code")
    }
  }

  private func filledTree(_ json: JSON) -> JSON {
    switch json {
    case .string: .string(filled(json))
    case .array(let elements): .array(elements.map(filledTree))
    case .object(let object):
      .object(JSONObject(members: object.members.map { ($0.key, filledTree($0.value)) }))
    case .null, .bool, .int, .double: json
    }
  }

  /// The text with `${name}` and `${name:lower}` filled in.
  private func filled(_ json: JSON?) -> String {
    var text = json?.string ?? ""
    for (name, value) in variables {
      text = text.replacing("${\(name)}", with: value)
        .replacing("${\(name):lower}", with: value.lowercased())
    }
    return text
  }
}

/// `90s`, `15m`, `1h`, `30d`.
enum LifetimeText {
  static func seconds(_ text: String) -> Int64? {
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
    guard let unit = text.last.flatMap({ units[$0] }), let amount = Int64(text.dropLast()) else {
      return nil
    }
    return amount * unit
  }
}

/// Expected JSON in which `*` stands for any run of characters, and alone for any value.
enum Pattern {
  static func matches(_ value: JSON, pattern: JSON) -> Bool {
    switch (value, pattern) {
    case (_, .string("*")): return true
    case (.string(let text), .string(let pattern)): return matches(text[...], pattern: pattern[...])
    case (.object(let object), .object(let patterns)):
      return object.members.count == patterns.members.count
        && patterns.members.allSatisfy { name, pattern in
          object[name].map { matches($0, pattern: pattern) } ?? false
        }
    default: return value == pattern
    }
  }

  private static func matches(_ text: Substring, pattern: Substring) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    guard first == "*" else {
      return text.first == first && matches(text.dropFirst(), pattern: pattern.dropFirst())
    }
    let rest = pattern.dropFirst()
    let literal = rest.prefix { $0 != "*" }
    if literal.isEmpty { return rest.isEmpty || matches(text, pattern: rest) }
    for range in text.ranges(of: literal) where matches(text[range.lowerBound...], pattern: rest) {
      return true
    }
    return false
  }
}
