/// The first message of a TLS client, of which only the name matters that it asks for (RFC 8446
/// section 4.1.2, and RFC 6066 section 3 for the name).
///
/// NIOSSL does not let a server answer an unknown name with the alert for it, so the name is read
/// before TLS begins. Record 0064.
enum ClientHello: Equatable {
  /// More bytes have to come.
  case incomplete
  /// No bytes that may follow make it a message of this kind.
  case malformed
  /// In lower case; nil where the client names no host.
  case name(String?)

  /// Bytes of the longest one that is taken; those of today's clients have about 2000.
  static let longest = 16 << 10
  /// Records that it may be cut into.
  private static let mostRecords = 8

  // The types of a record, of a handshake message, and of an extension.
  private static let handshake: UInt8 = 22
  private static let clientHello: UInt8 = 1
  private static let serverName = 0

  /// Whether a connection that begins with this byte is one of TLS.
  static func begins(_ byte: UInt8) -> Bool { byte == handshake }

  /// Reads the message from its beginning, each time that bytes have come. `longest` and
  /// `mostRecords` bound what that costs.
  static func parse(_ bytes: some Sequence<UInt8>) -> ClientHello {
    var records = Reader(bytes)
    var message: [UInt8] = []
    for _ in 0..<mostRecords {
      guard let type = records.byte() else { return .incomplete }
      guard type == handshake else { return .malformed }
      guard let major = records.byte() else { return .incomplete }
      // RFC 8446 section 5.1: 3 in every version; the minor number is to be ignored.
      guard major == 3 else { return .malformed }
      guard records.byte() != nil, let length = records.number(bytes: 2) else {
        return .incomplete
      }
      // RFC 8446 section 5.1 forbids empty fragments of a handshake, with which a client could go
      // on for ever.
      guard length > 0, message.count + length <= longest else { return .malformed }
      guard let fragment = records.take(length) else { return .incomplete }
      message += fragment
      guard let found = read(message) else { continue }
      return found
    }
    return .malformed
  }

  /// Nil where the message goes on in another record.
  private static func read(_ message: [UInt8]) -> ClientHello? {
    var reader = Reader(message)
    guard reader.byte() == clientHello else { return .malformed }
    guard let length = reader.number(bytes: 3) else { return nil }
    guard length <= longest else { return .malformed }
    guard let body = reader.take(length) else { return nil }
    return name(in: body)
  }

  private static func name(in body: ArraySlice<UInt8>) -> ClientHello {
    var reader = Reader(body)
    // The version, the random bytes, the session, the ciphers and the compressions.
    guard reader.take(2 + 32) != nil, reader.vector(lengthBytes: 1) != nil,
      reader.vector(lengthBytes: 2) != nil, reader.vector(lengthBytes: 1) != nil
    else { return .malformed }
    // Clients before TLS 1.3 may leave out the extensions.
    guard let extensions = reader.vector(lengthBytes: 2) else {
      return reader.isAtEnd ? .name(nil) : .malformed
    }
    var rest = Reader(extensions)
    while !rest.isAtEnd {
      guard let type = rest.number(bytes: 2), let content = rest.vector(lengthBytes: 2) else {
        return .malformed
      }
      if type == serverName { return host(in: content) }
    }
    return .name(nil)
  }

  private static func host(in content: ArraySlice<UInt8>) -> ClientHello {
    var reader = Reader(content)
    guard let list = reader.vector(lengthBytes: 2) else { return .malformed }
    var names = Reader(list)
    // RFC 6066 section 3: type 0 is the name of a host, in ASCII, and there is one of it at most.
    guard names.byte() == 0, let name = names.vector(lengthBytes: 2), !name.isEmpty,
      name.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { return .malformed }
    return .name(String(decoding: name, as: UTF8.self).lowercased())
  }
}

/// Takes bytes from the front.
private struct Reader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: some Sequence<UInt8>) { rest = Array(bytes)[...] }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func byte() -> UInt8? { rest.popFirst() }

  mutating func number(bytes: Int) -> Int? {
    take(bytes)?.reduce(0) { $0 << 8 | Int($1) }
  }

  mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard rest.count >= count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  /// What follows a length of so many bytes: a vector of RFC 8446 section 3.4.
  mutating func vector(lengthBytes: Int) -> ArraySlice<UInt8>? {
    number(bytes: lengthBytes).flatMap { take($0) }
  }
}
