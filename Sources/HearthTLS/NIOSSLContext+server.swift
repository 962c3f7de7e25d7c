import NIOCore
package import NIOSSL

extension NIOSSLContext {
  /// For a server with this certificate. The protocols are in the order of preference.
  ///
  /// - Throws: errors of NIOSSL, where its own library cannot read what OpenSSL has written.
  package convenience init(issued: IssuedCertificate, protocols: [String] = []) throws {
    let chain = try [issued.certificatePEM, issued.authorityPEM].map {
      try NIOSSLCertificate(bytes: Array($0.utf8), format: .pem)
    }
    let key = try NIOSSLPrivateKey(bytes: Array(issued.keyPEM.utf8), format: .pem)
    try self.init(chain: chain, key: key, protocols: protocols)
  }

  /// For a server with a certificate of the user's, both as PEM. The file of the certificate may
  /// hold the rest of its chain.
  package convenience init(
    certificateFile: String, keyFile: String, protocols: [String]
  ) throws {
    let chain = try NIOSSLCertificate.fromPEMFile(certificateFile)
    let key = try NIOSSLPrivateKey(file: keyFile, format: .pem)
    try self.init(chain: chain, key: key, protocols: protocols)
  }

  private convenience init(
    chain: [NIOSSLCertificate], key: NIOSSLPrivateKey, protocols: [String]
  ) throws {
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
    // Below it NIOSSL would still take TLS 1.0 and 1.1, which RFC 8996 has deprecated.
    configuration.minimumTLSVersion = .tlsv12
    configuration.applicationProtocols = protocols
    // Clients that go away without a word are common here. Each would hold its connection for as
    // long as NIOSSL waits by default.
    configuration.shutdownTimeout = .milliseconds(500)
    try self.init(configuration: configuration)
  }
}
