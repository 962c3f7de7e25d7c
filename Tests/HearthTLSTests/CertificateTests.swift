import Foundation
import HearthTestSupport
import HearthTime
import NIOSSL
import Testing

@testable import HearthTLS

@Suite struct `Certificates of this machine` {
  private let now = Timestamp(seconds: 1_800_000_000)
  private let names = ["localhost", "127.0.0.1"]

  @Test func `An authority issues for names and addresses`() throws {
    let authority = try CertificateAuthority(names: ["hearth.test"], now: now)
    let issued = try authority.issue(
      for: ["localhost", "127.0.0.1", "::1", "hearth.test"], now: now)
    let leaf = try NIOSSLCertificate(bytes: Array(issued.certificatePEM.utf8), format: .pem)
    let root = try NIOSSLCertificate(bytes: Array(issued.authorityPEM.utf8), format: .pem)
    #expect(leaf != root)
    #expect(leaf._subjectAlternativeNames().count == 4)
    // A certificate is good a day before it was made, for clocks that are behind.
    #expect(leaf.notValidBefore == 1_800_000_000 - 24 * 3600)
    #expect(leaf.notValidAfter <= 1_800_000_000 + 825 * 24 * 3600)
  }

  @Test func `An authority is kept with the data, and its key is private`() throws {
    try withTemporaryFolder { folder in
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let first = try AuthorityFiles(dataDirectory: folder).authority(for: names, now: now)
      let again = try AuthorityFiles(dataDirectory: folder).authority(for: names, now: now)
      #expect(first.certificatePEM == again.certificatePEM)
      let facts = try FileManager.default.attributesOfItem(atPath: folder + "/tls/ca-key.pem")
      #expect(facts[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test(arguments: ["ca.pem", "ca-key.pem"])
  func `An authority that cannot be used is made again`(file: String) throws {
    try withTemporaryFolder { folder in
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let files = AuthorityFiles(dataDirectory: folder)
      let first = try files.authority(for: names, now: now)
      try Data("damaged".utf8).write(to: URL(filePath: folder + "/tls/" + file))
      let second = try files.authority(for: names, now: now)
      #expect(first.certificatePEM != second.certificatePEM)
      #expect(try files.authority(for: names, now: now).certificatePEM == second.certificatePEM)
    }
  }

  @Test func `An authority near its end is made again`() throws {
    try withTemporaryFolder { folder in
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let files = AuthorityFiles(dataDirectory: folder)
      let first = try files.authority(for: names, now: now)
      let later = Timestamp(seconds: now.seconds + 3470 * 24 * 3600)
      #expect(try files.authority(for: names, now: later).certificatePEM != first.certificatePEM)
    }
  }

  @Test(arguments: [
    (["localhost", "a.localhost", "127.0.0.1", "127.1.2.3", "::1", "hearth.test"], true),
    (["10.0.0.7"], true), (["google.com"], false), (["localhost", "google.com"], false),
    (["10.0.0.8"], false), (["::2"], false),
  ])
  func `An authority is good for the names of this machine only`(
    asked: [String], isPermitted: Bool
  ) throws {
    let authority = try CertificateAuthority(names: ["hearth.test", "10.0.0.7"], now: now)
    #expect(authority.permits(asked, now: now) == isPermitted)
  }

  @Test func `An authority is made again for another name`() throws {
    try withTemporaryFolder { folder in
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let files = AuthorityFiles(dataDirectory: folder)
      let first = try files.authority(for: names, now: now)
      let second = try files.authority(for: names + ["hearth.test"], now: now)
      #expect(first.certificatePEM != second.certificatePEM)
      #expect(
        try files.authority(for: names, now: now).certificatePEM == second.certificatePEM)
    }
  }

  @Test func `All connections share a context, of names that can stand in a certificate`() throws {
    let certificates = ServerCertificates(
      dataDirectory: nil, names: ["hearth", "a,DNS:evil.test", "x y"], clock: ManualClock())
    #expect(try certificates.serverContext() === certificates.serverContext())
    #expect(try certificates.authorityPEM() == certificates.authorityPEM())
    #expect(certificates.end == nil)
  }

  @Test func `What is made for one run is not kept, and has an end`() throws {
    try withTemporaryFolder { folder in
      let clock = ManualClock()
      let certificates = ServerCertificates(
        dataDirectory: folder, names: ["192.168.1.5"], clock: clock, days: 2)
      #expect(certificates.end == nil)
      let trusted = try TrustedCertificates(pem: try certificates.authorityPEM())
      #expect(certificates.end == clock.now + .seconds(2 * 24 * 3600))
      #expect(certificates.names.contains("192.168.1.5"))
      #expect(try trusted.fingerprint().split(separator: ":").count == 32)
      #expect(!FileManager.default.fileExists(atPath: folder + "/tls"))
    }
  }
}
