import Foundation

/// A value of JSON, such as a claim of a token.
public enum JSONValue: Sendable, Equatable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A whole number.
  case int(Int)
  /// Any other number.
  case double(Double)
  /// A string.
  case string(String)
  /// A list.
  case array([JSONValue])
  /// An object.
  case object([String: JSONValue])

  /// The string; nil for any other value.
  public var text: String? { if case .string(let text) = self { text } else { nil } }
}

extension JSONValue: Codable {
  /// Reads any JSON.
  ///
  /// - Parameter decoder: the decoder.
  /// - Throws: `DecodingError` if it is not JSON.
  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else if let int = try? value.decode(Int.self) {
      self = .int(int)
    } else if let double = try? value.decode(Double.self) {
      self = .double(double)
    } else if let text = try? value.decode(String.self) {
      self = .string(text)
    } else if let list = try? value.decode([JSONValue].self) {
      self = .array(list)
    } else {
      self = .object(try value.decode([String: JSONValue].self))
    }
  }

  /// Writes it as JSON.
  ///
  /// - Parameter encoder: the encoder.
  /// - Throws: `EncodingError` for a number that JSON does not have.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .int(let value): try container.encode(value)
    case .double(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }
}

extension JSONValue: LiteralValue {
  /// An object, as dictionary literals make it.
  ///
  /// - Parameter members: the members.
  /// - Returns: the object.
  public static func map(_ members: [String: JSONValue]) -> JSONValue { .object(members) }
}

extension Data {
  /// Bytes in the base64 of tokens.
  init?(base64URL text: Substring) {
    let base = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(
      of: "_", with: "/")
    self.init(base64Encoded: base + String(repeating: "=", count: (4 - base.count % 4) % 4))
  }

  /// The base64 of tokens.
  var base64URL: String {
    base64EncodedString().replacingOccurrences(of: "+", with: "-")
      .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
  }
}
