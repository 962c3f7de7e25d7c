import CHearthOpenSSL
package import HearthTime

/// An authority for one run of the server: for host names that belong to others, or for phones that
/// trust it.
///
/// Nobody could issue certificates for other names with it. The root permits these names and addresses
/// only, and so does the intermediate, because Java does not look at the constraints of a root. The
/// root's key is freed after its one signature; the intermediate's is only in memory. All of it is valid
/// for some days of the machine's clock.
///
/// It owns the intermediate's key and certificate. Unchecked, for the same reason as
/// ``CertificateAuthority``.
package final class ThrowAwayAuthority: @unchecked Sendable {
  private static let name = "Hearth throw-away CA"

  private let key: OpaquePointer
  private let certificate: OpaquePointer
  private let intermediatePEM: String
  /// What clients have to trust.
  package let rootPEM: String
  /// When it is not valid any more.
  package let end: Timestamp

  /// Names that cannot stand in a certificate are left out.
  ///
  /// - Throws: ``TLSError`` where OpenSSL fails.
  package init(names: [String], now: Timestamp, days: Int = 1) throws(TLSError) {
    let lifetime = Int64(days) * 24 * 3600
    end = Timestamp(seconds: now.seconds + lifetime)
    let constraints = Self.constraints(names)
    let rootKey = try PrivateKey.generate()
    defer { EVP_PKEY_free(rootKey) }
    let root = try CertificateDraft(
      name: Self.name, key: rootKey, issuer: nil, lifetime: lifetime,
      extensions: Self.extensions(pathLength: 1, constraints)
    ).signed(now: now)
    defer { X509_free(root) }
    rootPEM = try PEM.text { PEM_write_bio_X509($0, root) }
    let key = try PrivateKey.generate()
    var made: OpaquePointer?
    do throws(TLSError) {
      let certificate = try CertificateDraft(
        name: Self.name + ", intermediate", key: key, issuer: (root, rootKey),
        lifetime: lifetime,
        extensions: Self.extensions(pathLength: 0, constraints) + [
          (NID_authority_key_identifier, "keyid")
        ]
      ).signed(now: now)
      made = certificate
      intermediatePEM = try PEM.text { PEM_write_bio_X509($0, certificate) }
      self.certificate = certificate
      self.key = key
    } catch {
      // `deinit` does not run for an object whose properties were not all set.
      if let made { X509_free(made) }
      EVP_PKEY_free(key)
      throw error
    }
  }

  deinit {
    X509_free(certificate)
    EVP_PKEY_free(key)
  }

  /// Issues one certificate for all of these names, so that browsers can be told of one key.
  package func issue(for names: [String], now: Timestamp) throws(TLSError) -> IssuedCertificate {
    try IssuedCertificate(
      names: names, issuer: (certificate, key), issuerPEM: intermediatePEM,
      lifetime: end.seconds - now.seconds, now: now)
  }

  private static func extensions(
    pathLength: Int, _ constraints: String
  ) -> [(nid: Int32, value: String)] {
    [
      (NID_basic_constraints, "critical,CA:TRUE,pathlen:\(pathLength)"),
      (NID_key_usage, "critical,keyCertSign,cRLSign"),
      (NID_name_constraints, constraints),
      (NID_subject_key_identifier, "hash"),
    ]
  }

  /// The constraints of RFC 5280, section 4.2.1.10. They restrict a kind of name only where they
  /// mention it, so of a kind of address of which none is permitted, all are excluded.
  private static func constraints(_ names: [String]) -> String {
    let addresses = names.filter(HostName.isAddress)
    var rules = names.filter { HostName.isName($0) && !HostName.isAddress($0) }
      .map { "permitted;DNS:" + $0 }
    rules += addresses.map { "permitted;IP:\($0)/\(HostName.wholeMask(of: $0))" }
    if addresses.allSatisfy({ $0.contains(":") }) { rules.append("excluded;IP:0.0.0.0/0.0.0.0") }
    if !addresses.contains(where: { $0.contains(":") }) {
      rules.append("excluded;IP:0:0:0:0:0:0:0:0/0:0:0:0:0:0:0:0")
    }
    return "critical," + rules.joined(separator: ",")
  }
}
