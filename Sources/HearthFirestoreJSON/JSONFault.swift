import HearthErrors
import HearthWire

/// Why a text is not the JSON of a message, and where, in the words of Google's services.
struct JSONFault: Error {
  private enum Reason {
    /// The text is not JSON.
    case syntax(String)
    case unknownName(String, problem: String)
    case value(String)
    /// A timestamp, of which Google says the field's name once more.
    case timestamp(problem: String, name: String?)
    /// An array where the field holds one value.
    case list(name: String?)
    /// Against a bound of this program.
    case bound(String)
  }

  private var reason: Reason
  /// From the message down to the fault.
  private var path = ""

  private init(_ reason: Reason) { self.reason = reason }

  static func bound(_ problem: String) -> JSONFault { JSONFault(.bound(problem)) }

  static func unknownName(_ name: String) -> JSONFault {
    JSONFault(.unknownName(short(name), problem: "Cannot find field."))
  }

  static let root = JSONFault(.unknownName("", problem: "Root element must be a message."))
  static let list = JSONFault(.list(name: nil))

  static func timestamp(_ problem: String) -> JSONFault {
    JSONFault(.timestamp(problem: problem, name: nil))
  }

  /// A value that does not fit its field: its type as Google names it, and the value.
  static func value(_ type: String, value: String) -> JSONFault {
    JSONFault(.value("(\(type)), \(value)"))
  }

  static func alreadySet(_ oneof: String, name: String) -> JSONFault {
    value("oneof", value: "oneof field '\(oneof)' is already set. Cannot set '\(name)'")
  }

  /// The text around the first error, with a caret below the error.
  static func syntax(
    _ problem: String, at offset: Int, of bytes: UnsafeBufferPointer<UInt8>
  ) -> JSONFault {
    let start = max(0, offset - shown)
    let excerpt = String(decoding: bytes[start..<min(bytes.count, offset + shown)], as: UTF8.self)
    let mark = String(repeating: " ", count: offset - start) + "^"
    return JSONFault(.syntax("\(problem)\n\(excerpt)\n\(mark)"))
  }

  /// A value was expected where the text ends.
  static let end = JSONFault(.syntax("Unexpected end of string. Expected a value.\n\n^"))

  private static let shown = 20

  /// The fault, seen from the message around the field.
  func inside(_ field: MessageField) -> JSONFault {
    var fault = self
    switch reason {
    case .timestamp(let problem, nil):
      fault.reason = .timestamp(problem: problem, name: field.name)
    case .list(nil):
      fault.reason = .list(name: field.name)
      return fault
    default: break
    }
    return fault.inside(step: field.snakeName)
  }

  func inside(_ name: String) -> JSONFault { inside(step: name) }

  func inside(index: Int) -> JSONFault { inside(step: "[\(index)]") }

  private func inside(step: String) -> JSONFault {
    var fault = self
    fault.path = step + (path.isEmpty || path.hasPrefix("[") ? path : "." + path)
    return fault
  }

  /// As much of a text as belongs in a message.
  static func short(_ text: String) -> String {
    text.utf8.count <= 100 ? text : text.prefix(60) + "…"
  }

  private var place: String { path.isEmpty ? "" : " at '\(path)'" }

  private var message: String {
    switch reason {
    case .syntax(let problem): "Invalid JSON payload received. \(problem)"
    case .unknownName(let name, let problem):
      "Invalid JSON payload received. Unknown name \"\(name)\"\(place): \(problem)"
    case .value(let problem): "Invalid value\(place) \(problem)"
    case .timestamp(let problem, let name):
      "Invalid value\(place) (type.googleapis.com/google.protobuf.Timestamp), "
        + "Field '\(name ?? "")', \(problem)"
    case .list(let name):
      "Invalid JSON payload received. Unknown name \"\(name ?? "")\"\(place): "
        + "Proto field is not repeating, cannot start list."
    case .bound(let problem): "Invalid JSON payload received. \(problem)"
    }
  }

  /// Whether the text is not JSON at all.
  var isSyntax: Bool {
    if case .syntax = reason { true } else { false }
  }

  /// The refusal, which names the field unless the text is not JSON at all.
  var refusal: APIError {
    let message = message
    let refusal = APIError(.invalidPayload, message: message)
    if isSyntax { return refusal }
    return refusal.with(
      details: .members([
        "@type": "type.googleapis.com/google.rpc.BadRequest",
        "fieldViolations": [
          .members([
            "field": path.isEmpty ? nil : .string(path), "description": .string(message),
          ])
        ],
      ]))
  }
}
