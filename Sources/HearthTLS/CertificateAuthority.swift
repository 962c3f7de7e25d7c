import CHearthOpenSSL
import HearthCrypto
package import HearthTime

/// A certificate authority of this server alone. Clients that trust it trust certificates for the names
/// of this machine: its own certificate is constrained to them, so that a stolen key is of no use for
/// other names.
///
/// Unchecked, because the pointers never change and OpenSSL allows many threads to use a key and a
/// certificate at once as long as nobody modifies them; nothing here does.
package final class CertificateAuthority: @unchecked Sendable {
  /// Seconds: ten years, and one for what is issued; systems of Apple refuse more than 825 days.
  private static let validity: Int64 = 10 * 365 * 24 * 3600
  private static let leafValidity: Int64 = 365 * 24 * 3600

  private let key: OpaquePointer
  private let certificate: OpaquePointer
  /// What clients have to trust.
  package let certificatePEM: String

  /// Makes a new one, for certificates of these host names and addresses.
  package convenience init(names: [String], now: Timestamp) throws(TLSError) {
    let key = try PrivateKey.generate()
    do throws(TLSError) {
      let certificate = try CertificateDraft(
        name: "Hearth local certificate authority", key: key, issuer: nil,
        lifetime: Self.validity,
        extensions: [
          // It issues no further authorities.
          (NID_basic_constraints, "critical,CA:TRUE,pathlen:0"),
          (NID_key_usage, "critical,keyCertSign,cRLSign"),
          (NID_name_constraints, Self.constraints(names)),
          (NID_subject_key_identifier, "hash"),
        ]
      ).signed(now: now)
      try self.init(owning: key, certificate)
    } catch {
      EVP_PKEY_free(key)
      throw error
    }
  }

  /// Takes over one that was kept.
  ///
  /// - Throws: ``TLSError`` where the two do not fit each other, or are near their end.
  package convenience init(
    certificatePEM: String, keyPEM: String, now: Timestamp
  ) throws(TLSError) {
    let key = try PrivateKey.read(keyPEM)
    do throws(TLSError) {
      let certificate = try PEM.certificate(certificatePEM)
      // What it issues must not outlive it.
      var end = time_t(now.seconds + Self.leafValidity)
      guard X509_check_private_key(certificate, key) == 1, X509_check_ca(certificate) == 1,
        X509_cmp_time(X509_get0_notAfter(certificate), &end) > 0
      else {
        X509_free(certificate)
        throw TLSError("it is not a certificate authority that can be used")
      }
      try self.init(owning: key, certificate)
    } catch {
      EVP_PKEY_free(key)
      throw error
    }
  }

  /// Takes over the certificate, and frees it where it fails. The key is still the caller's then.
  private init(owning key: OpaquePointer, _ certificate: OpaquePointer) throws(TLSError) {
    do throws(TLSError) {
      certificatePEM = try PEM.text { PEM_write_bio_X509($0, certificate) }
    } catch {
      X509_free(certificate)
      throw error
    }
    self.key = key
    self.certificate = certificate
  }

  deinit {
    X509_free(certificate)
    EVP_PKEY_free(key)
  }

  /// The names, this machine's loopback addresses, and names below `localhost`.
  private static func constraints(_ names: [String]) -> String {
    // RFC 5280, section 4.2.1.10: a permitted DNS name permits all names below it.
    var permitted = [
      "DNS:localhost", "IP:127.0.0.0/255.0.0.0", "IP:::1/" + HostName.wholeMask(of: "::1"),
    ]
    for name in names {
      let one =
        HostName.isAddress(name) ? "IP:\(name)/\(HostName.wholeMask(of: name))" : "DNS:\(name)"
      if !permitted.contains(one) { permitted.append(one) }
    }
    return "critical," + permitted.map { "permitted;" + $0 }.joined(separator: ",")
  }

  /// Whether it may issue a certificate for all of these names. One without constraints may not.
  func permits(_ names: [String], now: Timestamp) -> Bool {
    guard let found = X509_get_ext_d2i(certificate, NID_name_constraints, nil, nil) else {
      return false
    }
    let constraints = found.assumingMemoryBound(to: NAME_CONSTRAINTS.self)
    defer { NAME_CONSTRAINTS_free(constraints) }
    guard let issued = try? issue(for: names, now: now),
      let leaf = try? PEM.certificate(issued.certificatePEM)
    else { return false }
    defer { X509_free(leaf) }
    // OpenSSL reads the names of a certificate with this call, and compares none before.
    guard X509_check_purpose(leaf, -1, 0) == 1 else { return false }
    return NAME_CONSTRAINTS_check(leaf, constraints) == X509_V_OK
  }

  /// As PKCS #8, without a password. It is to be written to a file that only its owner can read.
  package func keyPEM() throws(TLSError) -> String { try PrivateKey.text(key) }

  /// Issues a certificate for these host names and addresses.
  package func issue(for names: [String], now: Timestamp) throws(TLSError) -> IssuedCertificate {
    try IssuedCertificate(
      names: names, issuer: (certificate, key), issuerPEM: certificatePEM,
      lifetime: Self.leafValidity, now: now)
  }
}

/// Why a certificate could not be made or read.
package struct TLSError: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }

  static let openSSL = TLSError("OpenSSL failed")
}
