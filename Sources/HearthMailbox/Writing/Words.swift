import HearthWire

/// The words of a language as its file has them, or a part of them.
///
/// The files are this package's own, and a test compares what they have: a word that is missing is an
/// error of ours.
package struct Words: Sendable {
  private let json: JSON

  init(_ json: JSON) { self.json = json }

  init(file text: String) {
    guard let json = try? JSON.parse(text) else {
      preconditionFailure("a file of a language is not JSON")
    }
    self.json = json
  }

  subscript(_ name: String) -> String {
    guard let word = optional(name) else { preconditionFailure("a language lacks \(name)") }
    return word
  }

  func optional(_ name: String) -> String? { json[name]?.string }

  func flag(_ name: String) -> Bool { json[name]?.bool ?? false }

  func part(_ name: String) -> Words {
    guard let part = json[name] else { preconditionFailure("a language lacks \(name)") }
    return Words(part)
  }
}
