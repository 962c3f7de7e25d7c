import HearthTLS

/// The certificates that clients have to trust, in the forms that they take.
package enum TrustFormat: String, CaseIterable, Sendable {
  case pem
  /// A trust store of Java, with the password `changeit`.
  case p12
  case der

  /// Turns what a server exports into this form.
  package func encode(_ pem: String) throws -> [UInt8] {
    switch self {
    case .pem: Array(pem.utf8)
    case .p12: try TrustedCertificates(pem: pem).pkcs12(password: TrustFolder.password)
    case .der: try TrustedCertificates(pem: pem).der()
    }
  }
}
