import Foundation
import HearthTestSupport
import HearthTime
import NIOSSL
import Testing

@testable import HearthTLS

/// The certificates are judged by others than those who made them.
@Suite struct `The throw-away authority` {
  private static let names = ["www.googleapis.com", "demo-test.firebaseapp.com", "x y"]
  private let now = SystemClock().now

  private static let network = ["localhost", "127.0.0.1", "::1", "192.168.1.5", "mac.local"]

  @Test(arguments: [
    (["192.168.1.5", "mac.local", "localhost", "127.0.0.1", "::1"], true),
    (["localhost", "192.168.1.6"], false),
    (["localhost", "127.0.0.2"], false), (["localhost", "::2"], false), (["example.com"], false),
    (["192.168.1.5.nip"], false),
  ])
  func `An authority for phones permits exactly its addresses and names`(
    names: [String], isTaken: Bool
  ) throws {
    try check(try ThrowAwayAuthority(names: Self.network, now: now), names: names, isTaken: isTaken)
  }

  @Test func `Without an IPv6 address, none is permitted`() throws {
    let authority = try ThrowAwayAuthority(names: ["localhost", "192.168.1.5"], now: now)
    // Of a certificate without names, OpenSSL takes the common name for one.
    try check(authority, names: ["localhost", "192.168.1.5"], isTaken: true)
    try check(authority, names: ["localhost", "::1"], isTaken: false)
  }

  @Test(arguments: [
    (["www.googleapis.com", "demo-test.firebaseapp.com"], true), (["example.com"], false),
    (["googleapis.com"], false), (["www.googleapis.com", "example.com"], false),
    (["127.0.0.1"], false), (["::1"], false), (["wwwwgoogleapis.com"], false),
  ])
  func `OpenSSL takes certificates for its names only`(names: [String], isTaken: Bool) throws {
    try check(try ThrowAwayAuthority(names: Self.names, now: now), names: names, isTaken: isTaken)
  }

  /// Has OpenSSL judge a certificate that the authority issues for these names.
  private func check(
    _ authority: ThrowAwayAuthority, names: [String], isTaken: Bool
  ) throws {
    let issued = try authority.issue(for: names, now: now)
    try withTemporaryFolder { folder in
      let files = try Files(folder, authority: authority, issued: issued)
      let result = try run(
        "openssl",
        arguments: [
          "verify", "-x509_strict", "-purpose", "sslserver", "-CAfile", files.root, "-untrusted",
          files.intermediate, files.leaf,
        ])
      #expect((result.status == 0) == isTaken, "\(result.output)")
      if !isTaken { #expect(result.output.contains("subtree violation")) }
    }
  }

  @Test func `A certificate is good for a day, and the names that it cannot have are left out`()
    throws
  {
    let authority = try ThrowAwayAuthority(names: Self.names, now: now)
    let issued = try authority.issue(for: Self.names, now: now)
    let leaf = try NIOSSLCertificate(bytes: Array(issued.certificatePEM.utf8), format: .pem)
    #expect(leaf._subjectAlternativeNames().count == 2)
    #expect(leaf.notValidAfter == now.seconds + 24 * 3600)
    #expect(issued.authorityPEM != authority.rootPEM)
  }

  @Test func `An authority may live for some days`() throws {
    let authority = try ThrowAwayAuthority(names: Self.names, now: now, days: 7)
    let end = now.seconds + 7 * 24 * 3600
    let issued = try authority.issue(for: ["www.googleapis.com"], now: now)
    for pem in [authority.rootPEM, issued.authorityPEM, issued.certificatePEM] {
      let certificate = try NIOSSLCertificate(bytes: Array(pem.utf8), format: .pem)
      #expect(certificate.notValidAfter == end)
    }
    #expect(authority.end.seconds == end)
  }

  /// Java does not look at the constraints of a root, but it does at those of the intermediate.
  @Test(
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: "/usr/bin/java"), "Java is not installed"),
    arguments: [("www.googleapis.com", true), ("example.com", false)])
  func `Java takes certificates for its names only, by our trust store`(
    name: String, isTaken: Bool
  ) throws {
    let authority = try ThrowAwayAuthority(names: Self.names, now: now)
    let issued = try authority.issue(for: [name], now: now)
    try withTemporaryFolder { folder in
      let files = try Files(folder, authority: authority, issued: issued)
      try Data(TrustedCertificates(pem: authority.rootPEM).pkcs12(password: "changeit"))
        .write(to: URL(filePath: folder + "/ca.p12"))
      try Data(Self.program.utf8).write(to: URL(filePath: folder + "/Check.java"))
      let result = try run(
        "java",
        arguments: ["-Xshare:auto", folder + "/Check.java", folder + "/ca.p12", files.chain])
      #expect((result.status == 0) == isTaken, "\(result.output)")
      if !isTaken { #expect(result.output.contains("constraint")) }
    }
  }

  @Test func `A trust store and a digest are made of several certificates`() throws {
    let first = try ThrowAwayAuthority(names: Self.names, now: now)
    let second = try ThrowAwayAuthority(names: Self.names, now: now)
    let both = try TrustedCertificates(pem: first.rootPEM + second.rootPEM)
    let one = try TrustedCertificates(pem: first.rootPEM)
    #expect(try both.der() == one.der())
    #expect(try both.keyDigest() == one.keyDigest())
    #expect(try both.keyDigest().count == 32)
    #expect(try both.pkcs12(password: "a").count > one.pkcs12(password: "a").count + 500)
    #expect(throws: TLSError.self) { try TrustedCertificates(pem: "") }
    #expect(throws: TLSError.self) { try TrustedCertificates(pem: "damaged") }
  }

  private struct Files {
    let root: String
    let intermediate: String
    let leaf: String
    let chain: String

    init(
      _ folder: String, authority: ThrowAwayAuthority, issued: IssuedCertificate
    ) throws {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      root = folder + "/root.pem"
      intermediate = folder + "/intermediate.pem"
      leaf = folder + "/leaf.pem"
      chain = folder + "/chain.pem"
      for (path, text) in [
        (root, authority.rootPEM), (intermediate, issued.authorityPEM),
        (leaf, issued.certificatePEM), (chain, issued.certificatePEM + issued.authorityPEM),
      ] { try Data(text.utf8).write(to: URL(filePath: path)) }
    }
  }

  private func run(_ name: String, arguments: [String]) throws -> (status: Int32, output: String) {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [name] + arguments
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }

  private static let program = """
    import java.io.FileInputStream;
    import java.security.KeyStore;
    import java.security.cert.*;
    import javax.net.ssl.*;

    public class Check {
      public static void main(String[] words) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(new FileInputStream(words[0]), "changeit".toCharArray());
        if (store.size() != 1) throw new Exception("no trusted certificate");
        TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
        factory.init(store);
        X509Certificate[] chain = CertificateFactory.getInstance("X.509")
          .generateCertificates(new FileInputStream(words[1])).toArray(new X509Certificate[0]);
        for (TrustManager manager : factory.getTrustManagers())
          ((X509TrustManager) manager).checkServerTrusted(chain, "ECDHE_ECDSA");
      }
    }
    """
}
