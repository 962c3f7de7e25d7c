import CHearthOpenSSL
import HearthCrypto

/// Certificates as clients want to have them.
package struct TrustedCertificates: Sendable {
  private static let end = "-----END CERTIFICATE-----\n"
  /// The attribute without which Java takes no certificate of such a file for a trusted one.
  private static let javaTrust = "2.16.840.1.113894.746875.1.1"

  /// One text for each certificate, each of which OpenSSL has read. At least one.
  private let texts: [String]

  /// Takes the certificates of a text, one after the other.
  ///
  /// - Throws: ``TLSError`` where there is none, or one that cannot be read.
  package init(pem: String) throws(TLSError) {
    texts = pem.split(separator: Self.end).map { $0 + Self.end }
    guard !texts.isEmpty else { throw TLSError("it is not a certificate") }
    for text in texts { X509_free(try PEM.certificate(text)) }
  }

  /// The first one, as DER.
  package func der() throws(TLSError) -> [UInt8] {
    try Self.with(texts[0]) { certificate throws(TLSError) in
      try Self.bytes { i2d_X509(certificate, $0) }
    }
  }

  /// The SHA-256 digest of the first one, as devices show it to people.
  package func fingerprint() throws(TLSError) -> String {
    let text = String(decoding: Digest.sha256.hash(try der()).hexDigits, as: UTF8.self)
      .uppercased()
    return stride(from: 0, to: text.utf8.count, by: 2).map { text.dropFirst($0).prefix(2) }
      .joined(separator: ":")
  }

  /// The SHA-256 digest of the first one's public key, as Chromium's
  /// `--ignore-certificate-errors-spki-list` takes it, there in Base64.
  package func keyDigest() throws(TLSError) -> [UInt8] {
    try Self.with(texts[0]) { certificate throws(TLSError) in
      let key = X509_get_X509_PUBKEY(certificate)
      return Digest.sha256.hash(try Self.bytes { i2d_X509_PUBKEY(key, $0) })
    }
  }

  /// A trust store of Java. It holds nothing secret: the password is there because there has to be one.
  package func pkcs12(password: String) throws(TLSError) -> [UInt8] {
    var bags: OpaquePointer?
    var safes: OpaquePointer?
    defer {
      OPENSSL_sk_pop_free(bags) { PKCS12_SAFEBAG_free(OpaquePointer($0)) }
      OPENSSL_sk_pop_free(safes) { PKCS7_free($0?.assumingMemoryBound(to: PKCS7.self)) }
    }
    for (index, text) in texts.enumerated() {
      try Self.with(text) { certificate throws(TLSError) in
        let name = "hearth-\(index)"
        guard let bag = PKCS12_add_cert(&bags, certificate),
          PKCS12_add_friendlyname_utf8(bag, name, Int32(name.utf8.count)) == 1,
          Self.addJavaTrust(to: bag)
        else { throw TLSError.openSSL }
      }
    }
    // -1 leaves it without encryption.
    guard PKCS12_add_safe(&safes, bags, -1, 0, nil) == 1, let file = PKCS12_add_safes(safes, 0)
    else { throw TLSError.openSSL }
    defer { PKCS12_free(file) }
    // SHA-1 is what old Java runtimes read too, and there is nothing to protect.
    guard PKCS12_set_mac(file, password, -1, nil, 0, 2048, EVP_sha1()) == 1 else {
      throw TLSError.openSSL
    }
    return try Self.bytes { i2d_PKCS12(file, $0) }
  }

  private static func addJavaTrust(to bag: OpaquePointer) -> Bool {
    guard let usage = OBJ_nid2obj(NID_anyExtendedKeyUsage) else { return false }
    let bytes = UnsafeRawPointer(usage).assumingMemoryBound(to: UInt8.self)
    return PKCS12_add1_attr_by_txt(bag, javaTrust, V_ASN1_OBJECT, bytes, -1) == 1
  }

  private static func with<Value>(
    _ text: String, body: (OpaquePointer) throws(TLSError) -> Value
  ) throws(TLSError) -> Value {
    let certificate = try PEM.certificate(text)
    defer { X509_free(certificate) }
    return try body(certificate)
  }

  /// What one of OpenSSL's functions encodes, which moves the pointer that it gets.
  private static func bytes(
    _ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
  ) throws(TLSError) -> [UInt8] {
    // The first call only tells the length.
    let length = encode(nil)
    guard length > 0 else { throw TLSError.openSSL }
    return [UInt8](unsafeUninitializedCapacity: Int(length)) { output, count in
      var place = output.baseAddress
      count = max(0, Int(encode(&place)))
    }
  }
}
