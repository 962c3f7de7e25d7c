import HearthIdentityToolkit
import HearthWire

/// What an account is found by, from its row.
///
/// The record is read token by token: a million of them are read at a time, and a tree of each would
/// take most of that.
struct AccountFacts {
  private(set) var id: [UInt8] = []
  private(set) var email: [UInt8] = []
  private(set) var phone: [UInt8] = []
  private(set) var name: [UInt8] = []
  private(set) var providers: [String] = []
  private(set) var createdAt: Int64 = 0
  private(set) var lastLoginAt: Int64 = 0
  private(set) var flags: AccountEntries.Flags = []

  init(record: UnsafeBufferPointer<UInt8>) throws(JSON.ParseError) {
    var reader = JSONReader(record)
    try reader.expect("{")
    guard !reader.take("}") else { return }
    repeat {
      let key = try reader.text()
      try reader.expect(":")
      try read(key, reader: &reader)
    } while reader.take(",")
  }

  private mutating func read(
    _ key: JSONReader.Text, reader: inout JSONReader
  ) throws(JSON.ParseError) {
    switch reader.string(key) {
    case "localId": id = try Self.folded(&reader)
    case "email": email = try Self.folded(&reader)
    case "phoneNumber": phone = try Self.folded(&reader)
    case "displayName": name = try Self.folded(&reader)
    case "createdAt": createdAt = try Self.number(&reader)
    case "lastLoginAt": lastLoginAt = try Self.number(&reader)
    case "disabled": try set(.isDisabled, reader: &reader)
    case "emailVerified": try set(.isVerified, reader: &reader)
    case "customAuth": try set(.isCustom, reader: &reader)
    case "providerUserInfo": try readProviders(&reader)
    case "mfaInfo":
      for factor in try JSON.next(&reader).array ?? [] {
        flags.insert(factor["totpSecret"] == nil ? .hasPhoneFactor : .hasTotpFactor)
      }
    default: try JSON.skip(&reader)
    }
  }

  private mutating func readProviders(_ reader: inout JSONReader) throws(JSON.ParseError) {
    guard reader.take("[") else { return try JSON.skip(&reader) }
    if reader.take("]") { return }
    repeat {
      try reader.expect("{")
      if reader.take("}") { continue }
      repeat {
        let key = reader.string(try reader.text())
        try reader.expect(":")
        if key == "providerId", reader.peek() == UInt8(ascii: "\"") {
          providers.append(reader.string(try reader.text()))
        } else {
          try JSON.skip(&reader)
        }
      } while reader.take(",")
      try reader.expect("}")
    } while reader.take(",")
    try reader.expect("]")
  }

  private mutating func set(
    _ flag: AccountEntries.Flags, reader: inout JSONReader
  ) throws(JSON.ParseError) {
    if try reader.take(word: "true") { flags.insert(flag) } else { try JSON.skip(&reader) }
  }

  private static func number(_ reader: inout JSONReader) throws(JSON.ParseError) -> Int64 {
    guard reader.peek() == UInt8(ascii: "\"") else {
      try JSON.skip(&reader)
      return 0
    }
    return Int64(reader.string(try reader.text())) ?? 0
  }

  private static func folded(_ reader: inout JSONReader) throws(JSON.ParseError) -> [UInt8] {
    guard reader.peek() == UInt8(ascii: "\"") else {
      try JSON.skip(&reader)
      return []
    }
    return reader.withBytes(of: try reader.text()) { fold($0) }
  }

  /// As texts are compared: in lower case, without U+0000, which separates them.
  static func fold(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var folded: [UInt8] = []
    folded.reserveCapacity(text.count)
    for byte in text where byte != 0 {
      guard byte < 0x80 else {
        return String(decoding: text, as: UTF8.self).lowercased().utf8.filter { $0 != 0 }
      }
      folded.append((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
    }
    return folded
  }
}

extension JSON {
  /// The next value as a tree.
  fileprivate static func next(_ reader: inout JSONReader) throws(ParseError) -> JSON {
    _ = reader.peek()
    let start = reader.position
    try skip(&reader)
    return try parse(UnsafeBufferPointer(rebasing: reader.bytes[start..<reader.position]))
  }

  /// Passes over the next value.
  fileprivate static func skip(_ reader: inout JSONReader) throws(ParseError) {
    switch reader.peek() {
    case UInt8(ascii: "\""): _ = try reader.text()
    case UInt8(ascii: "{"), UInt8(ascii: "["): try skipNested(&reader)
    case UInt8(ascii: "t"): _ = try reader.take(word: "true")
    case UInt8(ascii: "f"): _ = try reader.take(word: "false")
    case UInt8(ascii: "n"): _ = try reader.take(word: "null")
    default: _ = try reader.number()
    }
  }

  private static func skipNested(_ reader: inout JSONReader) throws(ParseError) {
    var depth = 0
    repeat {
      switch reader.peek() {
      case UInt8(ascii: "\""): _ = try reader.text()
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        reader.position += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        reader.position += 1
      case 0: throw reader.unexpected()
      default: reader.position += 1
      }
    } while depth > 0
  }
}
