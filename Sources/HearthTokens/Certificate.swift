import CHearthOpenSSL
import HearthCrypto
import HearthTime

/// Self-signed certificates around a signing key.
enum Certificate {
  private static let validity: Int64 = 10 * 365 * 24 * 3600

  static func selfSigned(
    _ key: OpaquePointer, name: String, now: Timestamp
  ) throws -> String {
    guard let certificate = X509_new() else { throw KeyError.openSSL }
    defer { X509_free(certificate) }
    var serial = Randomness().bytes(16)
    // A serial number is positive.
    serial[0] = serial[0] & 0x7F | 0x40
    guard let number = BN_bin2bn(serial, Int32(serial.count), nil) else { throw KeyError.openSSL }
    defer { BN_free(number) }
    guard X509_set_version(certificate, 2) == 1,
      BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != nil,
      // A day back, for verifiers whose clock is behind.
      ASN1_TIME_set(X509_getm_notBefore(certificate), Int(now.seconds - 24 * 3600)) != nil,
      ASN1_TIME_set(X509_getm_notAfter(certificate), Int(now.seconds + validity)) != nil,
      X509_set_pubkey(certificate, key) == 1,
      let subject = X509_get_subject_name(certificate),
      X509_NAME_add_entry_by_txt(
        subject, "CN", MBSTRING_FLAG | 1, Array(name.utf8), Int32(name.utf8.count), -1, 0) == 1,
      X509_set_issuer_name(certificate, subject) == 1,
      X509_sign(certificate, key, EVP_sha256()) > 0
    else { throw KeyError.openSSL }
    // The halves of a damaged key need not fit each other; nobody could verify its tokens.
    guard X509_verify(certificate, key) == 1 else { throw KeyError.notAKey }
    return try OpenSSLBuffer.text { PEM_write_bio_X509($0, certificate) }
  }
}
