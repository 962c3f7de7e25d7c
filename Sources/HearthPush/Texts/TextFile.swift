import HearthWire

/// Files in which apps have their texts.
enum TextFile {
  /// Why a file cannot be read.
  struct Problem: Error {
    let description: String
  }

  /// `Localizable.strings`: `"key" = "text";` and comments.
  static func apple(_ file: String) throws(Problem) -> JSONObject {
    var scanner = TextScanner(file)
    var texts = JSONObject()
    while scanner.skipComments() {
      let start = scanner.position
      guard let key = scanner.word(), scanner.take("=") else {
        throw Problem(description: "line \(scanner.line(at: start)) is not \"key\" = \"text\";")
      }
      guard let text = scanner.word(), scanner.take(";") else {
        throw Problem(
          description:
            "the key \(key) in line \(scanner.line(at: start)) has no text with a semicolon")
      }
      texts[key] = .string(text)
    }
    return texts
  }

  /// `strings.xml` of Android: its `string` elements. Plurals and arrays have no keys for messages.
  static func android(_ file: String) throws(Problem) -> JSONObject {
    var texts = JSONObject()
    var rest = withoutComments(file)[...]
    guard rest.contains("<resources") else {
      throw Problem(description: "it has no element <resources>")
    }
    while let start = rest.firstRange(of: "<string ") {
      rest = rest[start.upperBound...]
      guard let end = rest.firstIndex(of: ">") else { break }
      let attributes = rest[..<end]
      rest = rest[rest.index(after: end)...]
      guard let name = attribute("name", of: attributes) else {
        throw Problem(description: "a string has no name")
      }
      if attributes.hasSuffix("/") {
        texts[name] = ""
        continue
      }
      guard let close = rest.firstRange(of: "</string>") else {
        throw Problem(description: "the string \(name) has no end")
      }
      texts[name] = .string(androidText(rest[..<close.lowerBound]))
      rest = rest[close.upperBound...]
    }
    return texts
  }

  private static func withoutComments(_ file: String) -> String {
    var text = ""
    var rest = file[...]
    while let start = rest.firstRange(of: "<!--") {
      text += rest[..<start.lowerBound]
      guard let end = rest.firstRange(of: "-->") else { return text }
      rest = rest[end.upperBound...]
    }
    return text + rest
  }

  private static func attribute(_ name: String, of attributes: Substring) -> String? {
    for quote in ["\"", "'"] {
      guard let start = attributes.firstRange(of: "\(name)=\(quote)") else { continue }
      let rest = attributes[start.upperBound...]
      return rest.firstRange(of: quote).map { String(rest[..<$0.lowerBound]) }
    }
    return nil
  }

  /// Without markup, with its entities and escapes read, and blanks outside of quotes made one.
  private static func androidText(_ markup: Substring) -> String {
    var text = ""
    var rest = markup
    while let mark = rest.firstIndex(of: "<") {
      text += rest[..<mark]
      rest = rest[mark...]
      if rest.hasPrefix("<![CDATA[") {
        guard let end = rest.firstRange(of: "]]>") else { break }
        text += rest[..<end.lowerBound].dropFirst(9)
        rest = rest[end.upperBound...]
      } else if let end = rest.firstIndex(of: ">") {
        rest = rest[rest.index(after: end)...]
      } else {
        break
      }
    }
    var scanner = TextScanner(entities(in: text + rest))
    return scanner.androidText()
  }

  private static let entities = ["lt": "<", "gt": ">", "quot": "\"", "apos": "'", "amp": "&"]

  private static func entities(in text: String) -> String {
    var result = ""
    var rest = text[...]
    while let mark = rest.firstIndex(of: "&") {
      result += rest[..<mark]
      rest = rest[mark...].dropFirst()
      guard let end = rest.prefix(10).firstIndex(of: ";"),
        let character = character(named: rest[..<end])
      else {
        result += "&"
        continue
      }
      result += character
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }

  private static func character(named name: Substring) -> String? {
    guard name.first == "#" else { return entities[String(name)] }
    let digits = name.dropFirst()
    let isHex = digits.first == "x"
    let code = UInt32(isHex ? digits.dropFirst() : digits, radix: isHex ? 16 : 10)
    return code.flatMap(Unicode.Scalar.init).map { String(Character($0)) }
  }
}
