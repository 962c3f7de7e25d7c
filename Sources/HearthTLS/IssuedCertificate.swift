import CHearthOpenSSL
import HearthTime

/// A certificate with its key, and that of the authority that issued it, all as PEM.
package struct IssuedCertificate: Sendable {
  package let certificatePEM: String
  package let authorityPEM: String
  package let keyPEM: String
}

extension IssuedCertificate {
  /// Makes a key and a certificate for a server with these host names and addresses.
  init(
    names: [String], issuer: (certificate: OpaquePointer, key: OpaquePointer), issuerPEM: String,
    lifetime: Int64, now: Timestamp
  ) throws(TLSError) {
    let key = try PrivateKey.generate()
    defer { EVP_PKEY_free(key) }
    let names = names.filter { HostName.isName($0) || HostName.isAddress($0) }
    let alternatives = names.map { (HostName.isAddress($0) ? "IP:" : "DNS:") + $0 }
    let certificate = try CertificateDraft(
      name: names.first ?? "localhost", key: key, issuer: issuer, lifetime: lifetime,
      extensions: [
        (NID_basic_constraints, "critical,CA:FALSE"),
        (NID_key_usage, "critical,digitalSignature"),
        (NID_ext_key_usage, "serverAuth"),
        (NID_subject_key_identifier, "hash"),
        (NID_authority_key_identifier, "keyid"),
        // Clients of today look at the alternative names alone; the common name is for people.
        (NID_subject_alt_name, alternatives.joined(separator: ",")),
      ]
    ).signed(now: now)
    defer { X509_free(certificate) }
    certificatePEM = try PEM.text { PEM_write_bio_X509($0, certificate) }
    authorityPEM = issuerPEM
    keyPEM = try PrivateKey.text(key)
  }
}
