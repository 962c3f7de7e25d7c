package import HearthWire

/// Writes a seed as YAML.
package enum YAMLText {
  private static let tags = ["timestamp", "reference", "bytes", "geopoint", "vector", "double"]
  /// Older readers take them for something else than texts.
  private static let words: Set<String> = ["y", "n", "yes", "no", "on", "off"]

  package static func of(_ json: JSON) -> String {
    var text = ""
    write(json, indent: 0, text: &text)
    return text.hasSuffix("\n") ? text : text + "\n"
  }

  /// A value that begins on a line of its own.
  private static func write(_ json: JSON, indent: Int, text: inout String) {
    let space = String(repeating: " ", count: indent)
    if let short = short(json) {
      text += space + short + "\n"
    } else if let elements = json.array {
      for element in elements {
        var entry = ""
        write(element, indent: indent + 2, text: &entry)
        text += space + "- " + entry.dropFirst(indent + 2)
      }
    } else {
      for (name, value) in json.object?.members ?? [] {
        text += space + plain(name) + ":"
        if let short = short(value) {
          text += " " + short + "\n"
        } else {
          text += "\n"
          write(value, indent: indent + 2, text: &text)
        }
      }
    }
  }

  /// What fits into a line; nil for lists and maps.
  private static func short(_ json: JSON) -> String? {
    switch json {
    case .null, .bool, .int, .double: return json.text
    case .string(let text): return plain(text)
    case .array(let elements): return elements.isEmpty ? "[]" : nil
    case .object(let object):
      guard let (name, value) = object.members.first else { return "{}" }
      guard object.members.count == 1, name.hasPrefix("$"),
        tags.contains(String(name.dropFirst()))
      else { return nil }
      return tagged(value).map { "!\(name.dropFirst()) \($0)" }
    }
  }

  private static func tagged(_ json: JSON) -> String? {
    switch json {
    case .string(let text):
      let isShort =
        text.utf8.allSatisfy(isPlain) && !text.hasSuffix(":")
        && text.utf8.first.map { !"-@=:".utf8.contains($0) } == true
      return isShort ? text : json.text
    case .int, .double: return json.text
    case .array(let elements): return "[\(elements.map(\.text).joined(separator: ", "))]"
    case .null, .bool, .object: return nil
    }
  }

  /// A text without quotes, where no reader can take it for something else.
  private static func plain(_ text: String) -> String {
    guard let first = text.utf8.first, first.isASCIILetter || "/_$".utf8.contains(first),
      text.utf8.allSatisfy(isPlain), !text.hasSuffix(":"), YAMLScalar.json(text) == nil,
      !words.contains(text.lowercased())
    else { return JSON.string(text).text }
    return text
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || "0123456789_-./@+$()=:".utf8.contains(byte)
  }
}
