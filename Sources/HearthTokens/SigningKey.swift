import CHearthOpenSSL
import HearthCrypto
package import HearthTime
package import HearthWire

/// How a key signs, by its name in RFC 7518.
package enum SigningAlgorithm: String, Sendable, CaseIterable {
  /// RSASSA-PKCS1-v1_5 over SHA-256.
  case rs256 = "RS256"
  /// ECDSA over P-256 and SHA-256.
  case es256 = "ES256"
}

/// A key that signs tokens, with the forms in which its public half is published.
///
/// Unchecked, because the stored pointers never change and OpenSSL allows an `EVP_PKEY` to be
/// used, and an `EVP_MD_CTX` to be copied, by many threads at once as long as nobody modifies it;
/// nothing here does.
package final class SigningKey: @unchecked Sendable {
  private let key: OpaquePointer
  /// Ready to sign. Each signature is made by a copy, which is quicker than to look up the digest and
  /// the key's methods by their names.
  private let signing: OpaquePointer
  package let algorithm: SigningAlgorithm
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
  package static func generate(
    name: String, algorithm: SigningAlgorithm = .rs256, now: Timestamp
  ) throws -> SigningKey {
    let kind =
      switch algorithm {
      case .rs256: EVP_PKEY_RSA
      case .es256: EVP_PKEY_EC
      }
    guard let context = EVP_PKEY_CTX_new_id(kind, nil) else { throw KeyError.openSSL }
    defer { EVP_PKEY_CTX_free(context) }
    guard EVP_PKEY_keygen_init(context) == 1 else { throw KeyError.openSSL }
    let isSet =
      switch algorithm {
      case .rs256: EVP_PKEY_CTX_set_rsa_keygen_bits(context, 2048)
      case .es256: EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1)
      }
    var key: OpaquePointer?
    guard isSet == 1, EVP_PKEY_generate(context, &key) == 1, let key else {
      throw KeyError.openSSL
    }
    return try SigningKey(owning: key, algorithm: algorithm, name: name, now: now)
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
    try self.init(owning: key, algorithm: .rs256, name: Self.usualName, now: now)
  }

  private init(
    owning key: OpaquePointer, algorithm: SigningAlgorithm, name: String, now: Timestamp
  ) throws {
    do {
      signing = try Self.signing(with: key)
    } catch {
      EVP_PKEY_free(key)
      throw error
    }
    do {
      let numbers = try Self.numbers(of: key, algorithm)
      id = Self.thumbprint(numbers)
      certificatePEM = try Certificate.selfSigned(key, name: name, now: now)
      var members = JSONObject([
        "kty": numbers["kty"], "alg": .string(algorithm.rawValue), "use": "sig",
        "kid": .string(id),
      ])
      members.merge(numbers)
      jwk = .object(members)
    } catch {
      EVP_MD_CTX_free(signing)
      EVP_PKEY_free(key)
      throw error
    }
    let name = JSON.string(algorithm.rawValue)
    let header = JSON.members(["alg": name, "kid": .string(id), "typ": "JWT"])
    encodedHeader = Base64.encodeURL(header.bytes)
    let untyped = JSON.members(["alg": name, "kid": .string(id)])
    encodedHeaderWithoutType = Base64.encodeURL(untyped.bytes)
    self.algorithm = algorithm
    self.key = key
  }

  deinit {
    EVP_MD_CTX_free(signing)
    EVP_PKEY_free(key)
  }

  private static func signing(with key: OpaquePointer) throws -> OpaquePointer {
    guard let context = EVP_MD_CTX_new() else { throw KeyError.openSSL }
    guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1 else {
      EVP_MD_CTX_free(context)
      throw KeyError.openSSL
    }
    return context
  }

  /// RFC 7638: the digest of the required members in lexicographic order.
  package static func thumbprint(modulus: String, exponent: String) -> String {
    thumbprint(JSONObject(["kty": "RSA", "n": .string(modulus), "e": .string(exponent)]))
  }

  private static func thumbprint(_ numbers: JSONObject) -> String {
    let sorted = JSONObject(members: numbers.members.sorted { $0.key < $1.key })
    return Base64.encodeURL(Digest.sha256.hash(JSON.object(sorted).bytes))
  }

  /// The required members of a JSON Web Key.
  private static func numbers(
    of key: OpaquePointer, _ algorithm: SigningAlgorithm
  ) throws -> JSONObject {
    switch algorithm {
    case .rs256:
      JSONObject([
        "kty": "RSA", "n": .string(try parameter("n", of: key)),
        "e": .string(try parameter("e", of: key)),
      ])
    case .es256:
      // RFC 7518, section 6.2.1.2: all bytes of a coordinate, also zeros at its start.
      JSONObject([
        "kty": "EC", "crv": "P-256", "x": .string(try parameter("qx", of: key, bytes: 32)),
        "y": .string(try parameter("qy", of: key, bytes: 32)),
      ])
    }
  }

  /// A number of the public key, base64url as in a JSON Web Key.
  private static func parameter(
    _ name: String, of key: OpaquePointer, bytes length: Int32? = nil
  ) throws -> String {
    var number: OpaquePointer?
    guard EVP_PKEY_get_bn_param(key, name, &number) == 1, let number else {
      throw KeyError.openSSL
    }
    defer { BN_free(number) }
    let length = length ?? (BN_num_bits(number) + 7) / 8
    var bytes = [UInt8](repeating: 0, count: Int(length))
    guard BN_bn2binpad(number, &bytes, length) == length else { throw KeyError.openSSL }
    return Base64.encodeURL(bytes)
  }

  /// The private key as PKCS #8.
  package func pem() throws -> String {
    try OpenSSLBuffer.text { PEM_write_bio_PKCS8PrivateKey($0, key, nil, nil, 0, nil, nil) }
  }

  /// A signature as tokens have it.
  package func sign(_ input: [UInt8]) throws -> [UInt8] {
    guard let context = EVP_MD_CTX_new() else { throw KeyError.openSSL }
    defer { EVP_MD_CTX_free(context) }
    var signature = [UInt8](repeating: 0, count: Int(EVP_PKEY_get_size(key)))
    var count = signature.count
    guard EVP_MD_CTX_copy_ex(context, signing) == 1,
      EVP_DigestSign(context, &signature, &count, input, input.count) == 1
    else { throw KeyError.openSSL }
    switch algorithm {
    case .rs256: return Array(signature.prefix(count))
    case .es256:
      guard let pair = ECDSASignature.pair(ofDER: signature.prefix(count)) else {
        throw KeyError.openSSL
      }
      return pair
    }
  }

  package func verify(_ signature: [UInt8], of input: [UInt8]) -> Bool {
    switch algorithm {
    case .rs256: DigestSignature.isValid(signature, of: input, by: key)
    case .es256:
      ECDSASignature.der(ofPair: signature).map {
        DigestSignature.isValid($0, of: input, by: key)
      } ?? false
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
