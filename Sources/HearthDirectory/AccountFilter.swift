package import HearthErrors
import HearthIdentityToolkit
package import HearthWire

/// Which accounts are meant: all of those conditions that are given must hold.
package struct AccountFilter: Sendable {
  enum Factor: String {
    case any, none, phone, totp
  }

  package static let names = ["q", "provider", "disabled", "verified", "factor"]

  /// In lower case.
  package let text: [UInt8]
  fileprivate let provider: String?
  private let isDisabled: Bool?
  private let isVerified: Bool?
  fileprivate let factor: Factor?

  /// - Parameter value: the text of a condition, nil where it is not given.
  /// - Throws: for a value that the condition cannot have.
  package init(_ value: (String) -> String?) throws(APIError) {
    var text = value("q") ?? ""
    self.text = text.withUTF8 { AccountFacts.fold($0) }
    provider = value("provider").nonEmpty
    isDisabled = try Self.flag("disabled", value: value)
    isVerified = try Self.flag("verified", value: value)
    factor = try Self.choice("factor", text: value("factor"))
  }

  /// - Throws: for members that are not conditions.
  package init(_ object: JSONObject) throws(APIError) {
    for name in object.keys where !Self.names.contains(name) {
      throw APIError(.invalidArgument, detail: "/filter/\(name) is not a condition")
    }
    try self.init { name in
      switch object[name] {
      case .bool(let value)?: value ? "true" : "false"
      case let value: value?.string
      }
    }
  }

  package var isEmpty: Bool {
    text.isEmpty && provider == nil && isDisabled == nil && isVerified == nil && factor == nil
  }

  private static func flag(
    _ name: String, value: (String) -> String?
  ) throws(APIError) -> Bool? {
    switch value(name) {
    case nil, "": return nil
    case "true": return true
    case "false": return false
    default: throw APIError(.invalidArgument, detail: "\"\(name)\" must be true or false")
    }
  }

  static func choice<Value: RawRepresentable & CaseIterable>(
    _ name: String, text: String?
  ) throws(APIError) -> Value? where Value.RawValue == String {
    guard let text = text.nonEmpty else { return nil }
    guard let value = Value(rawValue: text) else {
      let known = Value.allCases.map(\.rawValue).joined(separator: ", ")
      throw APIError(.invalidArgument, detail: "\"\(name)\" must be one of \(known)")
    }
    return value
  }

  /// Flags that must be set, and flags that must not.
  fileprivate var flags: (set: AccountEntries.Flags, clear: AccountEntries.Flags) {
    var set: AccountEntries.Flags = .isLive
    var clear: AccountEntries.Flags = []
    if let isDisabled {
      if isDisabled { set.insert(.isDisabled) } else { clear.insert(.isDisabled) }
    }
    if let isVerified {
      if isVerified { set.insert(.isVerified) } else { clear.insert(.isVerified) }
    }
    switch factor {
    case nil, .any?: break
    case .none?: clear.formUnion([.hasPhoneFactor, .hasTotpFactor])
    case .phone?: set.insert(.hasPhoneFactor)
    case .totp?: set.insert(.hasTotpFactor)
    }
    switch provider {
    case "custom"?: set.insert(.isCustom)
    case "anonymous"?: clear.insert(.isCustom)
    default: break
    }
    return (set, clear)
  }
}

/// The conditions but for the text, ready to be tried on a million accounts.
struct AccountTest {
  private let set: AccountEntries.Flags
  private let clear: AccountEntries.Flags
  private let wantsFactor: Bool
  /// Nil for any.
  private let provider: UInt64?
  private let wantsNoProvider: Bool

  init(_ filter: AccountFilter, in entries: AccountEntries) {
    (set, clear) = filter.flags
    wantsFactor = filter.factor == .any
    wantsNoProvider = filter.provider == "anonymous"
    let isKind = wantsNoProvider || filter.provider == "custom"
    provider = isKind ? nil : filter.provider.map { entries.bit(ofKnownProvider: $0) }
  }

  @inline(__always)
  func accepts(_ flags: AccountEntries.Flags, providers: UInt64) -> Bool {
    guard flags.isSuperset(of: set), flags.isDisjoint(with: clear) else { return false }
    if wantsFactor, flags.isDisjoint(with: [.hasPhoneFactor, .hasTotpFactor]) { return false }
    if wantsNoProvider { return providers == 0 }
    return provider.map { providers & $0 != 0 } ?? true
  }
}

extension AccountFilter.Factor: CaseIterable {}

/// In which order accounts come, and which part of them.
package struct AccountPage: Sendable {
  package enum Key: String, CaseIterable {
    case created, lastSignIn, email, uid

    var isText: Bool { self == .email || self == .uid }
  }

  enum Direction: String, CaseIterable {
    case asc, desc
  }

  /// After which entry a page begins.
  package struct Place: Sendable {
    package let number: Int64
    package let text: [UInt8]
    package let row: Int64
  }

  private static let largest = 1000

  package let key: Key
  let isDescending: Bool
  package let limit: Int
  package let offset: Int
  package let after: Place?

  package init(_ value: (String) -> String?) throws(APIError) {
    let key: Key = try AccountFilter.choice("sort", text: value("sort")) ?? .created
    let direction: Direction? = try AccountFilter.choice("order", text: value("order"))
    self.key = key
    isDescending = direction.map { $0 == .desc } ?? !key.isText
    limit = try Self.number(value("limit"), name: "limit", in: 1...Self.largest) ?? 50
    offset = try Self.number(value("offset"), name: "offset", in: 0...Int.max) ?? 0
    after = try value("pageToken").nonEmpty.map { text throws(APIError) in
      try Self.place(text, key: key)
    }
  }

  private static func number(
    _ text: String?, name: String, in range: ClosedRange<Int>
  ) throws(APIError) -> Int? {
    guard let text = text.nonEmpty else { return nil }
    guard let number = Int(text), number >= range.lowerBound else {
      throw APIError(
        .invalidArgument,
        detail: "\"\(name)\" must be a whole number of at least \(range.lowerBound)")
    }
    return min(number, range.upperBound)
  }

  // MARK: Page tokens

  private static func place(_ token: String, key: Key) throws(APIError) -> Place {
    guard let bytes = Base64.decode(token), let json = try? JSON.parse(bytes),
      let parts = json.array, parts.count == 4, parts[0].string == key.rawValue,
      let number = parts[1].integer, let text = parts[2].string, let row = parts[3].integer
    else {
      throw APIError(.invalidArgument, detail: "\"pageToken\" does not match this sort order")
    }
    return Place(number: number, text: Array(text.utf8), row: row)
  }

  package func token(of place: Place) -> String {
    let parts: [JSON] = [
      .string(key.rawValue), .int(place.number),
      .string(String(decoding: place.text, as: UTF8.self)), .int(place.row),
    ]
    return Base64.encodeURL(JSON.array(parts).bytes)
  }
}
