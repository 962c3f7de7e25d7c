import HearthWire

/// Why a text is not the JSON of a message, and where.
struct JSONFault: Error, CustomStringConvertible {
  private let reason: String
  /// From the message down to the fault; empty where the text is not JSON.
  private var path = ""

  init(_ reason: String) { self.reason = reason }

  /// A text that is not JSON.
  init(_ error: JSON.ParseError) {
    reason = "\(error)."
    isSyntax = true
  }

  private var isSyntax = false

  /// The fault, seen from the message around the field.
  func inside(_ name: String) -> JSONFault {
    let name = Self.short(name)
    let isPlain = name.utf8.allSatisfy {
      $0 == UInt8(ascii: "_") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
    }
    return inside(step: isPlain && !name.isEmpty ? name : "`\(name)`")
  }

  /// As much of a text as belongs in a message.
  static func short(_ text: String) -> String {
    text.utf8.count <= 100 ? text : text.prefix(60) + "…"
  }

  func inside(index: Int) -> JSONFault { inside(step: "[\(index)]") }

  private func inside(step: String) -> JSONFault {
    var fault = self
    fault.path = step + (path.isEmpty || path.hasPrefix("[") ? path : "." + path)
    return fault
  }

  var description: String {
    isSyntax || path.isEmpty ? reason : "Invalid value at '\(path)': \(reason)"
  }
}
