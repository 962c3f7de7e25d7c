public import Foundation

/// A value of a Firestore document.
public enum FirestoreValue: Sendable, Equatable {
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
  /// A time, in milliseconds here.
  case timestamp(Date)
  /// Bytes.
  case bytes(Data)
  /// A document by its full name.
  case reference(String)
  /// A place.
  case geoPoint(latitude: Double, longitude: Double)
  /// A list.
  case array([FirestoreValue])
  /// A map.
  case map([String: FirestoreValue])
}

extension FirestoreValue: LiteralValue {}

extension FirestoreValue {
  /// As the REST API writes it.
  var json: [String: any Sendable] {
    switch self {
    case .null: ["nullValue": NSNull()]
    case .bool(let value): ["booleanValue": value]
    case .int(let value): ["integerValue": "\(value)"]
    case .double(let value): ["doubleValue": Self.number(value)]
    case .string(let value): ["stringValue": value]
    case .timestamp(let time):
      [
        "timestampValue": time.formatted(
          Date.ISO8601FormatStyle(includingFractionalSeconds: true))
      ]
    case .bytes(let value): ["bytesValue": value.base64EncodedString()]
    case .reference(let name): ["referenceValue": name]
    case .geoPoint(let latitude, let longitude):
      ["geoPointValue": ["latitude": latitude, "longitude": longitude]]
    case .array(let values): ["arrayValue": ["values": values.map(\.json)]]
    case .map(let members): ["mapValue": ["fields": members.mapValues(\.json)]]
    }
  }

  private static func number(_ value: Double) -> any Sendable {
    if value.isNaN { return "NaN" }
    return value.isInfinite ? (value > 0 ? "Infinity" : "-Infinity") : value
  }
}

extension FirestoreValue: Decodable {
  private enum CodingKeys: String, CodingKey {
    case nullValue, booleanValue, integerValue, doubleValue, stringValue, timestampValue
    case bytesValue, referenceValue, geoPointValue, arrayValue, mapValue
  }

  private struct Place: Decodable {
    let latitude: Double?
    let longitude: Double?
  }

  private struct List: Decodable { let values: [FirestoreValue]? }

  private struct Members: Decodable { let fields: [String: FirestoreValue]? }

  /// Reads a value as the REST API writes it.
  ///
  /// - Parameter decoder: the decoder.
  /// - Throws: `DecodingError` if it is not one.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    switch members.allKeys.first {
    case .booleanValue?: self = .bool(try members.decode(Bool.self, forKey: .booleanValue))
    case .integerValue?:
      let text = try members.decode(String.self, forKey: .integerValue)
      self = .int(Int(text) ?? 0)
    case .doubleValue?:
      if let text = try? members.decode(String.self, forKey: .doubleValue) {
        self = .double(Double(text) ?? .nan)
      } else {
        self = .double(try members.decode(Double.self, forKey: .doubleValue))
      }
    case .stringValue?: self = .string(try members.decode(String.self, forKey: .stringValue))
    case .timestampValue?: self = .timestamp(try members.finestTime(.timestampValue))
    case .bytesValue?: self = .bytes(try members.decode(Data.self, forKey: .bytesValue))
    case .referenceValue?:
      self = .reference(try members.decode(String.self, forKey: .referenceValue))
    case .geoPointValue?:
      let place = try members.decode(Place.self, forKey: .geoPointValue)
      self = .geoPoint(latitude: place.latitude ?? 0, longitude: place.longitude ?? 0)
    case .arrayValue?:
      self = .array(try members.decode(List.self, forKey: .arrayValue).values ?? [])
    case .mapValue?:
      self = .map(try members.decode(Members.self, forKey: .mapValue).fields ?? [:])
    case .nullValue?, nil: self = .null
    }
  }
}

extension KeyedDecodingContainer {
  /// A time with any number of decimals, of which the milliseconds are kept.
  fileprivate func finestTime(_ key: Key) throws -> Date {
    let text = try decode(String.self, forKey: key)
    let parts = text.dropLast().split(separator: ".", maxSplits: 1)
    guard let whole = parts.first,
      let seconds = try? Date.ISO8601FormatStyle().parse(whole + "Z")
    else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: "not a time: \(text)")
    }
    let decimals = parts.dropFirst().first.map { ($0 + "000").prefix(3) } ?? "0"
    return seconds.addingTimeInterval((Double(decimals) ?? 0) / 1000)
  }
}
