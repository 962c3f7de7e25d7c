/// Why a definition is refused: where the mistake is, and what it is.
package struct DefinitionFault: Error, Sendable, Equatable, CustomStringConvertible {
  /// RFC 6901. The empty pointer means the whole document; a member that is missing is pointed at
  /// where it would stand.
  package let pointer: String
  package let sentence: String

  package var description: String { pointer.isEmpty ? sentence : "\(pointer): \(sentence)" }

  /// The pointer of a member; `~` and `/` mean something in pointers.
  static func pointer(_ parent: String, key: String) -> String {
    var escaped = ""
    for character in key {
      switch character {
      case "~": escaped += "~0"
      case "/": escaped += "~1"
      default: escaped.append(character)
      }
    }
    return parent + "/" + escaped
  }
}
