import HearthTokens
import HearthTransport
import HearthWire

/// What the value of a setting is, and where it goes.
package struct SettingReading: Sendable {
  /// What a value is, for help and completion.
  package enum Kind: Sendable {
    case file
    case directory
    /// One of a few words, and what the help calls them.
    case choice([String], String)
    /// Anything else, by what the help calls it.
    case text(String)

    package var name: String {
      switch self {
      case .file: "file"
      case .directory: "dir"
      case .choice(_, let name), .text(let name): name
      }
    }
  }

  typealias Store<Value> = @Sendable (inout Configuration, Value) -> Void

  package let kind: Kind
  package let isList: Bool
  /// What a flag stands for that has no value; nil where it must have one.
  package let withoutValue: String?
  /// Reads what was given, and keeps it.
  let take: @Sendable (inout Configuration, GivenSetting) throws(ConfigurationError) -> Void

  private init(
    _ kind: Kind, isList: Bool = false, withoutValue: String? = nil,
    take: @escaping @Sendable (inout Configuration, GivenSetting) throws(ConfigurationError) -> Void
  ) {
    self.kind = kind
    self.isList = isList
    self.withoutValue = withoutValue
    self.take = take
  }

  static func text(
    _ name: String,
    take: @escaping @Sendable (inout Configuration, GivenSetting) throws(ConfigurationError) -> Void
  ) -> Self {
    Self(.text(name), take: take)
  }

  /// Values of which each has a flag of its own; in the variable they have commas between them.
  static func list(
    _ name: String,
    take: @escaping @Sendable (inout Configuration, GivenSetting) throws(ConfigurationError) -> Void
  ) -> Self {
    Self(.text(name), isList: true, take: take)
  }

  static func names(_ name: String, store: @escaping Store<[String]>) -> Self {
    list(name) { store(&$0, $1.names) }
  }

  static func file(store: @escaping Store<String>) -> Self {
    Self(.file) { store(&$0, $1.text) }
  }

  static func files(store: @escaping Store<[String]>) -> Self {
    Self(.file, isList: true) { store(&$0, $1.values) }
  }

  static func directory(withoutValue: String? = nil, store: @escaping Store<String>) -> Self {
    Self(.directory, withoutValue: withoutValue) { store(&$0, $1.text) }
  }

  static func port(store: @escaping Store<Int>) -> Self {
    Self(.text("port")) { configuration, given throws(ConfigurationError) in
      store(&configuration, try Configuration.port(given.text, source: given.source))
    }
  }

  /// A port, or `none`.
  static func optionalPort(store: @escaping Store<Int?>) -> Self {
    Self(.text("port")) { configuration, given throws(ConfigurationError) in
      store(&configuration, try Configuration.optionalPort(given.text, source: given.source))
    }
  }

  static func flag(store: @escaping Store<Bool>) -> Self {
    flag { configuration, given throws(ConfigurationError) in
      store(&configuration, try Configuration.flag(given.text, source: given.source))
    }
  }

  private static func flag(
    take: @escaping @Sendable (inout Configuration, GivenSetting) throws(ConfigurationError) -> Void
  ) -> Self {
    Self(.choice(["true", "false"], "true|false"), withoutValue: "true", take: take)
  }

  /// A program that takes a server for Google has the variable with 1, and may start one of its own.
  static let asGoogle = flag { configuration, given throws(ConfigurationError) in
    guard given.text != "1" else { return }
    configuration.asGoogle = try Configuration.flag(given.text, source: given.source)
  }

  /// One of a few words, and perhaps one that only `hearth exec` understands.
  static func choice<Value: RawRepresentable<String> & CaseIterable & SendableMetatype>(
    _ type: Value.Type, ofExec word: String? = nil, store: @escaping Store<Value>
  ) -> Self {
    let values = type.allCases.map(\.rawValue)
    let shown = values + (word.map { [$0] } ?? [])
    let name = shown.count > 4 ? "level" : shown.joined(separator: "|")
    return Self(.choice(shown, name)) { configuration, given throws(ConfigurationError) in
      guard let value = Value(rawValue: given.text) else {
        throw given.refusal(expecting: "one of \(values.joined(separator: ", "))")
      }
      store(&configuration, value)
    }
  }

  static func number(
    _ name: String, from range: ClosedRange<Int>, expected: String, store: @escaping Store<Int>
  ) -> Self {
    Self(.text(name)) { configuration, given throws(ConfigurationError) in
      guard let number = Int(given.text), range.contains(number) else {
        throw given.refusal(expecting: expected)
      }
      store(&configuration, number)
    }
  }

  /// Megabytes, which are kept as bytes.
  static func megabytes(upTo most: Int, store: @escaping Store<Int>) -> Self {
    number("MB", from: 1...most, expected: "megabytes, from 1 to \(most)") {
      store(&$0, $1 << 20)
    }
  }
}

/// What was given for a setting.
package struct GivenSetting: Sendable {
  /// One, but for lists.
  let values: [String]
  /// The flag or the variable, for errors.
  let source: String

  var text: String { values.first ?? "" }

  /// The names, which may stand in one value with commas between them.
  var names: [String] { Configuration.names(values) }

  func refusal(expecting expected: String) -> ConfigurationError {
    ConfigurationError(text, in: source, expected: expected)
  }

  /// An id of a project, or one of those names for it.
  func projectID(by aliases: [String: String]) throws(ConfigurationError) -> String {
    try Configuration.projectID(aliases[text] ?? text, source: source)
  }

  /// `host:port`.
  var address: String {
    get throws(ConfigurationError) {
      guard Configuration.hostAndPort(text) != nil else { throw refusal(expecting: "host:port") }
      return text
    }
  }

  /// Without a slash at its end.
  var publicURL: String {
    get throws(ConfigurationError) {
      guard let url = WebURL(text), ["http", "https"].contains(url.scheme), url.query == nil else {
        throw refusal(expecting: "an http or https URL")
      }
      return text.hasSuffix("/") ? String(text.dropLast()) : text
    }
  }
}
