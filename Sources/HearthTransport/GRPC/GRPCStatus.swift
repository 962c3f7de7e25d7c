import HearthErrors
package import HearthWire

/// How a gRPC call ended, by the numbers of gRPC's statuscodes.md. As an error, it ends one.
package struct GRPCStatus: Error, Sendable {
  package let code: Int32
  package var message = ""
  /// As over REST; only production's answers have any.
  package var details: [JSON] = []

  package static let ok = GRPCStatus(code: 0)
  package static let deadlineExceeded = GRPCStatus(code: 4, message: "The deadline has passed.")
  /// UNAVAILABLE: a client may try again.
  package static let stopping = GRPCStatus(code: 14, message: "The server is stopping.")

  package static func invalidArgument(_ message: String) -> Self { Self(code: 3, message: message) }
  package static func resourceExhausted(_ message: String) -> Self {
    Self(code: 8, message: message)
  }
  package static func unimplemented(_ message: String) -> Self { Self(code: 12, message: message) }
  package static func internalError(_ message: String) -> Self { Self(code: 13, message: message) }
  package static func unavailable(_ message: String) -> Self { Self(code: 14, message: message) }

  /// What an error means to the client. One that is not made for clients is UNKNOWN, as gRPC has it
  /// for what a method throws.
  package static func from(_ error: any Error) -> Self {
    switch error {
    case let status as GRPCStatus: status
    case let error as APIError:
      Self(
        code: error.code.row.rpc.rawValue, message: error.message, details: error.details)
    case is CancellationError: Self(code: 1, message: "The call was cancelled.")
    default: Self(code: 2, message: "\(error)")
    }
  }

  /// The message as a header may hold it: `Percent-Encoded` of PROTOCOL-HTTP2.md, UTF-8 with all
  /// but printable ASCII encoded.
  var encodedMessage: String {
    let utf8 = message.utf8
    if utf8.allSatisfy(Self.isPlain) { return message }
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in utf8 {
      if Self.isPlain(byte) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x20...0x7e).contains(byte) && byte != UInt8(ascii: "%")
  }
}
