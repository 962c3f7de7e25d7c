/// A bound of the service: its number, what is said where it is exceeded, and where it is written
/// down. The code that enforces it reads the number here, and guides are made of the same table.
package struct Limit: Sendable {
  package enum Condition: String, Sendable {
    case always
    /// With the switch `limits` on `production`.
    case production = "`limits: production`"
    /// With the switch `answers` on `emulator`.
    case emulator = "`answers: emulator`"
    /// With the switch `rateLimits`.
    case rateLimits = "`rateLimits`"
  }

  /// Where the number comes from.
  package enum Source: String, Sendable {
    case quotas = "https://firebase.google.com/docs/firestore/quotas"
    case transactions = "https://firebase.google.com/docs/firestore/manage-data/transactions"
    case queries = "https://firebase.google.com/docs/firestore/query-data/queries"
    case vectors = "https://firebase.google.com/docs/firestore/vector-search"
    case pastReads = "https://firebase.google.com/docs/firestore/pitr"
    case rules = "https://firebase.google.com/docs/firestore/security/rules-conditions"
    case auth = "https://firebase.google.com/docs/auth/limits"
    /// Recorded in September 2026, and not documented.
    case recorded = "recorded"
    /// Reported by users of production.
    case reported = "reported"
    /// Measured at the official emulator or at Google's compiler of rules.
    case measured = "measured"
    /// Google does not say; the number is ours.
    case hearth = "ours"
  }

  /// What is bounded.
  package let name: String
  package let value: Int
  package let unit: String
  package let condition: Condition
  /// The status or the code of the refusal; nil where nothing is refused.
  package let status: String?
  /// The words of the refusal. Parts in braces are filled in: `{limit}` with the number, `{LIMIT}`
  /// with the number in groups of three digits.
  package let text: String
  package let source: Source

  /// One that always holds, and whose refusal is INVALID_ARGUMENT.
  init(_ name: String, value: Int, unit: String, text: String, source: Source) {
    self.init(name, value: value, unit: unit, condition: .always, text: text, source: source)
  }

  init(
    _ name: String, value: Int, unit: String, condition: Condition, text: String,
    source: Source
  ) {
    self.init(
      name, value: value, unit: unit, condition: condition, status: "INVALID_ARGUMENT", text: text,
      source: source)
  }

  init(
    _ name: String, value: Int, unit: String, condition: Condition, status: String?,
    text: String, source: Source
  ) {
    self.name = name
    self.value = value
    self.unit = unit
    self.condition = condition
    self.status = status
    self.text = text
    self.source = source
  }

  /// The words of the refusal with their parts filled in, in order.
  package func refusal(_ parts: String...) -> String {
    var parts = parts[...]
    var rest = text[...]
    var words = ""
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      words += rest[..<open]
      switch rest[rest.index(after: open)..<close] {
      case "limit": words += String(value)
      case "LIMIT": words += Self.grouped(value)
      default: words += parts.popFirst() ?? ""
      }
      rest = rest[rest.index(after: close)...]
    }
    return words + rest
  }

  /// `1,048,576`.
  package static func grouped(_ number: Int) -> String {
    var digits = Array(String(number))
    var position = digits.count - 3
    while position > 0, digits[position - 1] != "-" {
      digits.insert(",", at: position)
      position -= 3
    }
    return String(digits)
  }
}

extension Limit {
  /// A part of the table.
  package struct Group: Sendable {
    package let name: String
    package let limits: [Limit]
  }

  package static let groups = [
    Group(name: "Documents", limits: documents),
    Group(name: "Requests and transactions", limits: requests),
    Group(name: "Queries", limits: queries),
    Group(name: "Rules", limits: rules),
    Group(name: "Auth", limits: auth),
  ]

  /// The tables of the guide, as Markdown.
  package static var markdown: String {
    groups.map { group in
      let rows = group.limits.map { limit in
        let status = limit.status.map { "\($0) " } ?? ""
        let words = limit.text.isEmpty ? "" : "`\(limit.text.replacing("`", with: "'"))`"
        return "| \(limit.name) | \(grouped(limit.value)) \(limit.unit) | "
          + "\(limit.condition.rawValue) | \(status)\(words) | \(limit.source.link) |"
      }
      let head = [
        "### \(group.name)", "", "| | limit | enforced | refusal | source |",
        "|---|---|---|---|---|",
      ]
      return (head + rows).joined(separator: "\n")
    }.joined(separator: "\n\n")
  }

  /// One line for each limit, with tabs.
  package static var lines: [String] {
    groups.flatMap(\.limits).map { limit in
      [
        limit.name, "\(limit.value) \(limit.unit)",
        limit.condition.rawValue.replacing("`", with: ""),
        limit.status ?? "", limit.text, limit.source.rawValue,
      ].joined(separator: "\t")
    }
  }
}

extension Limit.Source {
  fileprivate var link: String {
    guard let page = rawValue.split(separator: "/").last, rawValue.hasPrefix("https:") else {
      return rawValue
    }
    return "[\(page)](\(rawValue))"
  }
}
