import CHearthOpenSSL
import HearthCrypto
package import HearthTime
package import HearthWire

/// An RSA key that signs tokens, with the forms in which its public half is published.
///
/// Unchecked, because the one stored pointer never changes and OpenSSL allows an `EVP_PKEY` to be
/// used by many threads at once as long as nobody modifies it; nothing here does.
package final class SigningKey: @unchecked Sendable {
  private let key: OpaquePointer
  /// `kid`: the thumbprint of RFC 7638.
  package let id: String
  /// The public key as a JSON Web Key.
  package let jwk: JSON
  /// A self-signed X.509 certificate, which Google's libraries want instead of a bare key.
  package let certificatePEM: String
  /// The first part of every token that this key signs.
  let encodedHeader: String
  /// The same without `typ`.
  let encodedHeaderWithoutType: String

  private static let usualName = "securetoken.system.gserviceaccount.com"

  /// Makes a 2048-bit key, which takes 100 to 200 ms.
  package static func generate(now: Timestamp) throws -> SigningKey {
    try generate(name: usualName, now: now)
  }

  /// Makes a key whose certificate has a name of its own, of at most 64 bytes.
  package static func generate(name: String, now: Timestamp) throws -> SigningKey {
    guard let context = EVP_PKEY_CTX_new_id(EVP_PKEY_RSA, nil) else { throw KeyError.openSSL }
    defer { EVP_PKEY_CTX_free(context) }
    var key: OpaquePointer?
    guard EVP_PKEY_keygen_init(context) == 1,
      EVP_PKEY_CTX_set_rsa_keygen_bits(context, 2048) == 1,
      EVP_PKEY_generate(context, &key) == 1, let key
    else { throw KeyError.openSSL }
    return try SigningKey(owning: key, name: name, now: now)
  }

  /// Reads a private key in PEM form.
  package convenience init(pem: String, now: Timestamp) throws {
    let key = try Array(pem.utf8).withUnsafeBytes { bytes in
      // OpenSSL reads from this memory, so it must live until the key has been read.
      guard let bio = BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count)) else {
        throw KeyError.openSSL
      }
      defer { BIO_free(bio) }
      // Without this answer OpenSSL would ask the terminal for the password of an encrypted key.
      guard let key = PEM_read_bio_PrivateKey(bio, nil, { _, _, _, _ in -1 }, nil) else {
        throw KeyError.notAKey
      }
      return key
    }
    // RFC 7518 wants 2048 bits, and verifiers refuse less.
    guard EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA, EVP_PKEY_get_bits(key) >= 2048 else {
      EVP_PKEY_free(key)
      throw KeyError.notAKey
    }
    try self.init(owning: key, name: Self.usualName, now: now)
  }

  private init(owning key: OpaquePointer, name: String, now: Timestamp) throws {
    do {
      let modulus = try Self.parameter("n", of: key)
      let exponent = try Self.parameter("e", of: key)
      id = Self.thumbprint(modulus: modulus, exponent: exponent)
      certificatePEM = try Certificate.selfSigned(key, name: name, now: now)
      jwk = .members([
        "kty": "RSA", "alg": "RS256", "use": "sig", "kid": .string(id),
        "n": .string(modulus), "e": .string(exponent),
      ])
    } catch {
      EVP_PKEY_free(key)
      throw error
    }
    let header = JSON.members(["alg": "RS256", "kid": .string(id), "typ": "JWT"])
    encodedHeader = Base64.encodeURL(header.bytes)
    let untyped = JSON.members(["alg": "RS256", "kid": .string(id)])
    encodedHeaderWithoutType = Base64.encodeURL(untyped.bytes)
    self.key = key
  }

  deinit { EVP_PKEY_free(key) }

  /// RFC 7638: the digest of the required members in lexicographic order.
  package static func thumbprint(modulus: String, exponent: String) -> String {
    let canonical = #"{"e":"\#(exponent)","kty":"RSA","n":"\#(modulus)"}"#
    return Base64.encodeURL(Digest.sha256.hash(Array(canonical.utf8)))
  }

  /// A number of the public key, base64url as in a JSON Web Key.
  private static func parameter(_ name: String, of key: OpaquePointer) throws -> String {
    var number: OpaquePointer?
    guard EVP_PKEY_get_bn_param(key, name, &number) == 1, let number else {
      throw KeyError.openSSL
    }
    defer { BN_free(number) }
    var bytes = [UInt8](repeating: 0, count: Int((BN_num_bits(number) + 7) / 8))
    BN_bn2bin(number, &bytes)
    return Base64.encodeURL(bytes)
  }

  /// The private key as PKCS #8.
  package func pem() throws -> String {
    try OpenSSLBuffer.text { PEM_write_bio_PKCS8PrivateKey($0, key, nil, nil, 0, nil, nil) }
  }

  /// An RSASSA-PKCS1-v1_5 signature over SHA-256: `RS256`.
  package func sign(_ input: [UInt8]) throws -> [UInt8] {
    guard let context = EVP_MD_CTX_new() else { throw KeyError.openSSL }
    defer { EVP_MD_CTX_free(context) }
    var signature = [UInt8](repeating: 0, count: Int(EVP_PKEY_get_size(key)))
    var count = signature.count
    guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1,
      EVP_DigestSign(context, &signature, &count, input, input.count) == 1
    else { throw KeyError.openSSL }
    return Array(signature.prefix(count))
  }

  package func verify(_ signature: [UInt8], of input: [UInt8]) -> Bool {
    RSASignature.isValid(signature, of: input, by: key)
  }
}

/// Why a key could not be made, read or written.
package enum KeyError: Error, CustomStringConvertible {
  case openSSL
  case notAKey
  case unreadable(file: String, reason: String)
  case unwritable(directory: String, reason: String)

  package var description: String {
    switch self {
    case .openSSL: "OpenSSL failed"
    case .notAKey: "not an RSA private key of 2048 bits or more in PEM form"
    case .unreadable(let file, let reason): "cannot use the signing key \(file): \(reason)"
    case .unwritable(let directory, let reason):
      "cannot write a signing key to \(directory): \(reason)"
    }
  }
}

/// Text that OpenSSL writes.
enum OpenSSLBuffer {
  static func text(_ write: (OpaquePointer) -> Int32) throws -> String {
    guard let bio = BIO_new(BIO_s_mem()) else { throw KeyError.openSSL }
    defer { BIO_free(bio) }
    guard write(bio) == 1 else { throw KeyError.openSSL }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = BIO_read(bio, &bytes, Int32(bytes.count))
    guard count > 0 else { throw KeyError.openSSL }
    return String(decoding: bytes.prefix(Int(count)), as: UTF8.self)
  }
}
