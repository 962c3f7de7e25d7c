#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Why a key could not be made, read or written.
package enum KeyError: Error, CustomStringConvertible {
  case openSSL
  case notAKey
  case unreadable(file: String, reason: String)
  /// `code` is the system's number of the error.
  case unwritable(directory: String, code: Int32)

  package var description: String {
    switch self {
    case .openSSL: "OpenSSL failed"
    case .notAKey: "not an RSA private key of 2048 bits or more in PEM form"
    case .unreadable(let file, let reason): "cannot use the signing key \(file): \(reason)"
    case .unwritable(let directory, let code):
      "cannot write a signing key to \(directory): \(Self.words(code))"
    }
  }

  /// What the system says of one of its errors.
  package static func words(_ code: Int32) -> String { String(cString: strerror(code)) }

  /// Whether the disk is full. That may change while the server runs.
  package var isFullDisk: Bool {
    if case .unwritable(_, let code) = self { code == ENOSPC || code == EDQUOT } else { false }
  }
}
