import CHearthOpenSSL
import HearthCrypto
import HearthTime

/// A certificate that is to be signed. It borrows the pointers, which must outlive it.
struct CertificateDraft {
  let name: String
  let key: OpaquePointer
  /// Nil for a certificate that signs itself.
  let issuer: (certificate: OpaquePointer, key: OpaquePointer)?
  /// Seconds.
  let lifetime: Int64
  /// In the words of OpenSSL's configuration.
  let extensions: [(nid: Int32, value: String)]

  /// Makes and signs the certificate. The caller owns the result.
  func signed(now: Timestamp) throws(TLSError) -> OpaquePointer {
    guard let certificate = X509_new() else { throw TLSError.openSSL }
    do throws(TLSError) {
      try fill(certificate, now: now)
      guard X509_sign(certificate, issuer?.key ?? key, EVP_sha256()) > 0 else {
        throw TLSError.openSSL
      }
      return certificate
    } catch {
      X509_free(certificate)
      throw error
    }
  }

  private func fill(_ certificate: OpaquePointer, now: Timestamp) throws(TLSError) {
    var serial = Randomness().bytes(16)
    // A serial number is positive, and of 20 bytes at most (RFC 5280, section 4.1.2.2). The second
    // highest bit is set so that none begins with zeros.
    serial[0] = serial[0] & 0x7F | 0x40
    guard let number = BN_bin2bn(serial, Int32(serial.count), nil) else { throw TLSError.openSSL }
    defer { BN_free(number) }
    // Version 3, which is written as 2.
    guard X509_set_version(certificate, 2) == 1,
      BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != nil,
      // A day back, for clients whose clock is behind.
      ASN1_TIME_set(X509_getm_notBefore(certificate), Int(now.seconds - 24 * 3600)) != nil,
      ASN1_TIME_set(X509_getm_notAfter(certificate), Int(now.seconds + lifetime)) != nil,
      X509_set_pubkey(certificate, key) == 1,
      let subject = X509_get_subject_name(certificate),
      // A common name holds 64 characters; clients look at the extension with the names.
      X509_NAME_add_entry_by_txt(
        subject, "CN", MBSTRING_FLAG | 1, Array(name.utf8.prefix(64)),
        Int32(min(64, name.utf8.count)), -1, 0) == 1,
      let issuerName = issuer.map({ X509_get_subject_name($0.certificate) }) ?? subject,
      X509_set_issuer_name(certificate, issuerName) == 1
    else { throw TLSError.openSSL }
    try addExtensions(to: certificate)
  }

  private func addExtensions(to certificate: OpaquePointer) throws(TLSError) {
    var context = X509V3_CTX()
    X509V3_set_ctx(&context, issuer?.certificate ?? certificate, certificate, nil, nil, 0)
    for (nid, value) in extensions {
      guard let added = X509V3_EXT_conf_nid(nil, &context, nid, value) else {
        throw TLSError.openSSL
      }
      defer { X509_EXTENSION_free(added) }
      guard X509_add_ext(certificate, added, -1) == 1 else { throw TLSError.openSSL }
    }
  }
}
