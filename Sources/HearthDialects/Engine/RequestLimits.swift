/// How often a reset may be asked for.
struct RequestLimits: Sendable {
  enum Answer: String, CaseIterable {
    /// The replies `tooManyRequests` and `tooSoon`.
    case refuse
    /// The same reply as ever, but no message.
    case pretend
  }

  let perAccountPerHour: Int?
  let perAddressPerHour: Int?
  let secondsBetween: Int?
  let answer: Answer

  static let none = RequestLimits()

  private init() {
    perAccountPerHour = nil
    perAddressPerHour = nil
    secondsBetween = nil
    answer = .refuse
  }

  init(_ value: DefinitionValue) throws(DefinitionFault) {
    let object = try value.object([
      "perAccountPerHour", "perAddressPerHour", "secondsBetween", "answer",
    ])
    perAccountPerHour = try object["perAccountPerHour"]?.integer(in: 1...1_000)
    perAddressPerHour = try object["perAddressPerHour"]?.integer(in: 1...1_000)
    secondsBetween = try object["secondsBetween"]?.integer(in: 1...3_600)
    answer = try object["answer"]?.choice(of: Answer.self) ?? .refuse
  }

  /// The replies that these limits can lead to.
  var outcomes: [Outcome] {
    guard answer == .refuse else { return [] }
    let isCounted = perAccountPerHour != nil || perAddressPerHour != nil
    return (isCounted ? [.tooManyRequests] : []) + (secondsBetween == nil ? [] : [.tooSoon])
  }
}
