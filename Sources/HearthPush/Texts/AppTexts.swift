import HearthWire

/// The texts of an app by their localisation keys, as a test handed them over: what phones look keys of
/// messages up in.
struct AppTexts: Sendable {
  /// What has such keys.
  enum Platform: String, Sendable, CaseIterable {
    case android, ios
  }

  static let mostKeys = 5_000
  /// Bytes of a file, and of the keys and texts of a table.
  static let longest = 256 << 10

  /// Whom they are for; nil where the project's language counts.
  var language: LanguageTag?
  private var tables: [Platform: [JSONObject]] = [:]

  init(language: LanguageTag? = nil) { self.language = language }

  /// The tables in which keys are looked up, one after the other.
  subscript(platform: Platform) -> [JSONObject] {
    get { tables[platform] ?? [] }
    set { tables[platform] = newValue }
  }

  /// What a key comes to.
  enum Found: Equatable {
    case text(String)
    /// Why a phone shows something else.
    case missing(String)
  }

  func text(_ key: String, arguments: [String], on platform: Platform) -> Found {
    let place = platform.rawValue + (language.map { " in \($0.text)" } ?? "")
    guard let template = self[platform].lazy.compactMap({ $0[key]?.string }).first else {
      return .missing("no text for the key \(key) on \(place)")
    }
    let filled = FormatString.fill(template, arguments: arguments)
    guard filled.most <= arguments.count else {
      return .missing(
        "the text for the key \(key) on \(place) takes \(filled.most) arguments, and "
          + "\(arguments.count) are given")
    }
    guard let text = filled.text else {
      return .missing("the text for the key \(key) has more than \(FormatString.longest) bytes")
    }
    return .text(text)
  }
}

/// Texts with places for arguments: `%@` and `%1$@` of Apple, `%s` and `%1$s` of Android.
enum FormatString {
  /// Bytes of a filled text. A template can name one argument many times.
  static let longest = 16 << 10

  /// The text, nil where it is too long, and how many arguments it takes. Places without an argument
  /// stay as they are.
  static func fill(_ template: String, arguments: [String]) -> (text: String?, most: Int) {
    var text = ""
    var next = 0
    var most = 0
    var rest = template[...]
    while let mark = rest.firstIndex(of: "%") {
      text += rest[..<mark]
      rest = rest[mark...]
      guard let place = Place(rest.dropFirst()) else {
        text += "%"
        rest = rest.dropFirst()
        continue
      }
      rest = place.rest
      switch place.kind {
      case .percent: text += "%"
      case .line: text += "\n"
      case .argument(let position):
        let index = position ?? next
        if position == nil { next += 1 }
        most = max(most, index + 1)
        text += arguments.indices.contains(index) ? arguments[index] : "%\(index + 1)"
      }
      guard text.utf8.count <= longest else { return (nil, most) }
    }
    text += rest
    return (text.utf8.count <= longest ? text : nil, most)
  }

  /// What follows a percent sign.
  private struct Place {
    enum Kind {
      case percent, line
      /// Its index, where one is named.
      case argument(Int?)
    }

    let kind: Kind
    let rest: Substring

    init?(_ after: Substring) {
      var rest = after
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      var position: Int?
      if !digits.isEmpty, rest.dropFirst(digits.count).first == "$" {
        guard digits.count <= 2, let number = Int(digits), number > 0 else { return nil }
        position = number - 1
        rest = rest.dropFirst(digits.count + 1)
      }
      // Widths and lengths say nothing about a text.
      rest = rest.drop { "-+0123456789.,#hlqLzt".contains($0) }
      guard let letter = rest.first else { return nil }
      switch letter {
      case "%": kind = .percent
      case "n" where position == nil: kind = .line
      case "@", "s", "S", "d", "D", "i", "u", "x", "X", "f", "c", "b", "e", "g":
        kind = .argument(position)
      default: return nil
      }
      self.rest = rest.dropFirst()
    }
  }
}
