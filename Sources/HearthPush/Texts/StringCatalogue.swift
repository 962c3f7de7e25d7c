import HearthWire

/// `Localizable.xcstrings` of Xcode: all languages in one file of JSON.
struct StringCatalogue {
  /// Bytes of a file.
  static let longest = 4 << 20

  /// The language that the app is written in.
  let source: LanguageTag
  /// The texts of each language, by their keys.
  private(set) var tables: [(language: LanguageTag, texts: JSONObject)] = []

  /// Whether a file of Apple's platforms is one. In the older form a key comes first.
  static func isOne(_ file: String) -> Bool {
    file.unicodeScalars.first { !$0.properties.isWhitespace && $0 != "\u{FEFF}" } == "{"
  }

  init(_ file: String) throws(TextFile.Problem) {
    let json: JSON
    do throws(JSON.ParseError) {
      json = try JSON.parse(file.hasPrefix("\u{FEFF}") ? String(file.dropFirst()) : file)
    } catch {
      throw TextFile.Problem(description: "\(error)")
    }
    guard let source = json["sourceLanguage"]?.string.flatMap(LanguageTag.init),
      let strings = json["strings"]?.object
    else {
      throw TextFile.Problem(description: "a string catalogue has sourceLanguage and strings")
    }
    self.source = source
    var texts: [LanguageTag: JSONObject] = [source: JSONObject()]
    for (key, entry) in strings.members {
      var isWritten = false
      for (name, localization) in entry["localizations"]?.object?.members ?? [] {
        guard let language = LanguageTag(name) else {
          throw TextFile.Problem(
            description: "the key \(key) has '\(name)', which is not a language")
        }
        guard let text = Self.text(localization) else { continue }
        isWritten = isWritten || language == source
        texts[language, default: JSONObject()].append(key, value: .string(text))
      }
      // What nobody wrote another text for reads as its key.
      if !isWritten { texts[source, default: JSONObject()].append(key, value: .string(key)) }
    }
    tables = texts.sorted { $0.key.text < $1.key.text }.map { (language: $0.key, texts: $0.value) }
  }

  /// Of a text that varies by number or device, the general form. Nil for what is not translated yet.
  private static func text(_ localization: JSON) -> String? {
    if let unit = localization["stringUnit"] {
      let text = unit["value"]?.string
      return unit["state"]?.string == "new" && text?.isEmpty != false ? nil : text
    }
    let variations = localization["variations"]
    return
      (variations?["plural"]?["other"] ?? variations?["device"]?["iphone"]
      ?? variations?["device"]?["other"]).flatMap(text)
  }
}
