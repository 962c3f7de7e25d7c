package import HearthTime
import HearthTokens
package import HearthWire

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The JSON file that a service account's users start with: `GOOGLE_APPLICATION_CREDENTIALS`.
package struct ServiceAccountFile: Sendable {
  package let account: ServiceAccount
  /// Where its users fetch access tokens. Some libraries ignore it and call Google's address.
  package let tokenURI: String

  package static let googleTokenURI = "https://oauth2.googleapis.com/token"
  private static let longest = 64 << 10

  package init(_ account: ServiceAccount, tokenURI: String = Self.googleTokenURI) {
    self.account = account
    self.tokenURI = tokenURI
  }

  /// Reads a file that `json` wrote, or one of that form.
  package init(reading path: String, now: Timestamp) throws(ServiceAccountError) {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8),
      text.utf8.count <= Self.longest
    else { throw ServiceAccountError("cannot read the service account file \(path)") }
    try self.init(text, named: path, now: now)
  }

  init(_ text: String, named path: String, now: Timestamp) throws(ServiceAccountError) {
    guard let json = try? JSON.parse(text), json["type"]?.string == "service_account" else {
      throw ServiceAccountError("\(path) is not the key file of a service account")
    }
    func member(_ name: String) throws(ServiceAccountError) -> String {
      guard let value = json[name]?.string.nonEmpty else {
        throw ServiceAccountError("\(path) lacks \(name)")
      }
      return value
    }
    let key: SigningKey
    do {
      key = try SigningKey(pem: try member("private_key"), now: now)
    } catch {
      throw ServiceAccountError("private_key of \(path): \(error)")
    }
    self.init(
      ServiceAccount(
        projectId: try member("project_id"), email: try member("client_email"),
        uniqueId: json["client_id"]?.string ?? "0", keyID: try member("private_key_id"), key: key),
      tokenURI: json["token_uri"]?.string ?? Self.googleTokenURI)
  }

  /// The file with all fields that Google writes.
  package func json() throws -> JSON {
    let certificates = "https://www.googleapis.com"
    let email = PercentCoding.encodeComponent(account.email)
    return .members([
      "type": "service_account",
      "project_id": .string(account.projectId),
      "private_key_id": .string(account.keyID),
      "private_key": .string(try account.key.pem()),
      "client_email": .string(account.email),
      "client_id": .string(account.uniqueId),
      "auth_uri": "https://accounts.google.com/o/oauth2/auth",
      "token_uri": .string(tokenURI),
      "auth_provider_x509_cert_url": .string(certificates + "/oauth2/v1/certs"),
      "client_x509_cert_url": .string(certificates + "/robot/v1/metadata/x509/\(email)"),
      "universe_domain": "googleapis.com",
    ])
  }

  /// The file of a person who has signed in with Google's tool, which the same server takes.
  package func authorizedUser() throws -> JSON {
    .members([
      "type": "authorized_user",
      "client_id": .string("\(account.uniqueId)-hearth.apps.googleusercontent.com"),
      "client_secret": "hearth",
      "refresh_token": .string(try account.refreshToken()),
      "quota_project_id": .string(account.projectId),
      "universe_domain": "googleapis.com",
    ])
  }

  /// Writes a file that only its owner can read.
  package static func write(
    _ json: JSON, to path: String, replacing: Bool = false
  ) throws(ServiceAccountError) {
    // What is there may have been made readable for others.
    if replacing { unlink(path) }
    // The file is private from its first moment.
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      if errno == EEXIST { throw ServiceAccountError("\(path) exists, and is left as it is") }
      throw ServiceAccountError("cannot write \(path): \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    var rest = (json.prettyBytes + [UInt8(ascii: "\n")])[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(descriptor, bytes: $0) }
      guard count > 0 || count < 0 && errno == EINTR else {
        throw ServiceAccountError("cannot write \(path): \(String(cString: strerror(errno)))")
      }
      rest = rest.dropFirst(max(0, count))
    }
  }
}

/// Why a service account's file cannot be used.
package struct ServiceAccountError: Error, CustomStringConvertible, Sendable {
  package let description: String

  init(_ description: String) { self.description = description }
}

/// `write` under a name that a type with a `write` of its own can call.
private func systemWrite(_ descriptor: Int32, bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}
