import HearthCrypto
import HearthTime
import HearthWire

/// What a new password must be.
struct PasswordRule: Sendable {
  enum Problem: String, Sendable, CaseIterable {
    case tooShort, tooLong, noUpper, noLower, noDigit, noSymbol, mismatch

    static let classes: [(name: String, problem: Problem)] = [
      ("upper", .noUpper), ("lower", .noLower), ("digit", .noDigit), ("symbol", .noSymbol),
    ]
  }

  let lengths: ClosedRange<Int>
  let needs: [Problem]
  /// Whether the rule is looked at before the token, so that breaking it costs no attempt.
  let isCheckedFirst: Bool
  private let sentences: [Problem: LocalText]

  static let anything = PasswordRule()

  private init() {
    lengths = 1...4096
    needs = []
    isCheckedFirst = false
    sentences = [:]
  }

  init(_ value: DefinitionValue, languages: LanguageRule) throws(DefinitionFault) {
    let object = try value.object([
      "minLength", "maxLength", "needs", "checkedFirst", "sentences",
    ])
    let shortest = try object["minLength"]?.integer(in: 1...256) ?? 1
    let longest = try object["maxLength"]?.integer(in: 1...4096) ?? 4096
    guard shortest <= longest else {
      throw object.missing("maxLength", reason: "must not be less than \"minLength\"")
    }
    lengths = shortest...longest
    var needs: [Problem] = []
    for element in try object["needs"]?.elements() ?? [] {
      guard let need = Problem.classes.first(where: { $0.name == element.json.string })?.problem
      else {
        let names = DefinitionValue.list(Problem.classes.map(\.name))
        throw element.fault("must be one of \(names)")
      }
      guard !needs.contains(need) else { throw element.fault("occurs twice") }
      needs.append(need)
    }
    self.needs = needs
    isCheckedFirst = try object.bool("checkedFirst", default: false)
    var sentences: [Problem: LocalText] = [:]
    let given = try object["sentences"]?.object(Problem.allCases.map(\.rawValue))
    for member in given?.members ?? [] {
      guard let problem = Problem(rawValue: member.name) else { continue }
      sentences[problem] = try LocalText(
        member.value, languages: languages, allowed: Placeholder.common)
    }
    self.sentences = sentences
  }

  /// The first rule that the password breaks.
  func problem(of password: String) -> Problem? {
    if password.count < lengths.lowerBound { return .tooShort }
    if password.count > lengths.upperBound { return .tooLong }
    return needs.first { !Self.fulfils(password, need: $0) }
  }

  private static func fulfils(_ password: String, need: Problem) -> Bool {
    switch need {
    case .tooShort, .tooLong, .mismatch: true
    case .noUpper: password.contains(where: \.isUppercase)
    case .noLower: password.contains(where: \.isLowercase)
    case .noDigit: password.contains(where: \.isNumber)
    case .noSymbol: password.contains { !$0.isLetter && !$0.isNumber && !$0.isWhitespace }
    }
  }

  func sentence(for problem: Problem, _ values: Values, language: String) -> String {
    if let text = sentences[problem] { return text.template(in: language).text(values) }
    return switch problem {
    case .tooShort: "Password must be at least \(lengths.lowerBound) characters long."
    case .tooLong: "Password must be at most \(lengths.upperBound) characters long."
    case .noUpper: "Password must contain an uppercase letter."
    case .noLower: "Password must contain a lowercase letter."
    case .noDigit: "Password must contain a digit."
    case .noSymbol: "Password must contain a symbol."
    case .mismatch: "Passwords do not match."
    }
  }

  /// A password of the given kind that keeps this rule, however often that takes within reason.
  func password(_ format: SecretFormat, random: Randomness, now: Timestamp) -> String? {
    for _ in 0..<200 {
      let candidate = format.make(random, subject: "", from: now, to: now)
      if problem(of: candidate) == nil { return candidate }
    }
    return nil
  }
}
