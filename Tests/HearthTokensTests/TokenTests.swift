import Dispatch
import Foundation
import HearthCrypto
import HearthTestSupport
import HearthTime
import HearthTokens
import HearthWire
import Testing

private func hex(_ bytes: [UInt8]) -> String {
  bytes.map { String(format: "%02x", $0) }.joined()
}

@Suite struct `Digests` {
  @Test func `agree with published vectors`() {
    let abc = Array("abc".utf8)
    #expect(hex(Digest.md5.hash(abc)) == "900150983cd24fb0d6963f7d28e17f72")
    #expect(hex(Digest.sha1.hash(abc)) == "a9993e364706816aba3e25717850c26c9cd0d89d")
    #expect(
      hex(Digest.sha256.hash(abc))
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    // RFC 4231, case 2.
    #expect(
      hex(Digest.sha256.hmac(Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8)))
        == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    // RFC 6070, case 2.
    #expect(
      hex(
        Digest.sha1.pbkdf2(
          password: Array("password".utf8), salt: Array("salt".utf8), rounds: 2, length: 20))
        == "ea6c014dc72d6f8ccd1ed92ace1d41f0d8de8957")
  }

  @Test func `derive keys as RFC 7914 says`() {
    let derived = Scrypt.derive(
      password: Array("password".utf8), salt: Array("NaCl".utf8), n: 1024, r: 8, p: 16, length: 64)
    #expect(
      derived.map(hex)
        == "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
        + "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640")
  }
}

@Suite struct `Tokens` {
  private static let keys = KeySet(directory: nil, clock: ManualClock())
  private static let claims = JSONObject(["sub": "a", "n": 1])

  @Test(arguments: [
    "", ".", "..", "a.b", "a.b.c.d", "e30.e30", "e30..", ".e30.", "e30.bm9wZQ.", "W10.e30.",
    "e30.e30.!", "e30.W10.",
  ])
  func `that are none are not decoded`(text: String) { #expect(JWT(text) == nil) }

  @Test func `without a signature have their last dot`() throws {
    let text = JWT.unsigned(Self.claims)
    #expect(text.hasSuffix(".") && text.hasPrefix("eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0."))
    let presented = try #require(Self.keys.present(text))
    guard case .none = presented.signature else {
      Issue.record("unsigned")
      return
    }
  }

  @Test func `of ours are known, and no others`() async throws {
    let key = try await Self.keys.current()
    let token = try JWT.signed(Self.claims, by: key)
    let parts = token.split(separator: ".")
    guard case .ours? = Self.keys.present(token)?.signature else {
      Issue.record("our own token is not known")
      return
    }
    let other = try SigningKey.generate(now: Timestamp(seconds: 0))
    let forged = [
      try JWT.signed(Self.claims, by: other),
      "\(parts[0]).\(Base64.encodeURL(Array(#"{"sub":"b"}"#.utf8))).\(parts[2])",
      "\(parts[0]).\(parts[1]).",
      "\(parts[0]).\(parts[1]).\(parts[2].dropLast(4))",
      JWT.unsigned(Self.claims) + String(parts[2]),
    ]
    for text in forged {
      guard case .foreign? = Self.keys.present(text)?.signature else {
        Issue.record("taken for ours: \(text)")
        continue
      }
    }
  }

  @Test func `are signed by many at once`() async throws {
    let key = try await Self.keys.current()
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<100 {
        group.addTask {
          let bytes = Array("text \(number)".utf8)
          return key.verify(try key.sign(bytes), of: bytes)
        }
      }
      for try await isGood in group { #expect(isGood) }
    }
  }
}

@Suite struct `Keys` {
  private func withDirectory(_ body: (String) async throws -> Void) async throws {
    try await withTemporaryFolder { path in
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      try await body(path)
    }
  }

  @Test func `have the thumbprint of RFC 7638`() {
    let modulus =
      "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw"
    #expect(
      SigningKey.thumbprint(modulus: modulus, exponent: "AQAB")
        == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
  }

  @Test func `stay when the server goes, readable by their owner only`() async throws {
    try await withDirectory { path in
      let first = KeySet(directory: path, clock: ManualClock())
      let key = try await first.current()
      let rotated = try await first.rotate()
      let token = try JWT.signed(JSONObject(["sub": "a"]), by: key)
      let again = KeySet(directory: path, clock: ManualClock())
      #expect(try await again.all().map(\.id) == [rotated.id, key.id])
      guard case .ours? = again.present(token)?.signature else {
        Issue.record("an old token is not known any more")
        return
      }
      let file = path + "/keys/000001.pem"
      let attributes = try FileManager.default.attributesOfItem(atPath: file)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test func `that are broken are named`() async throws {
    try await withDirectory { path in
      try FileManager.default.createDirectory(
        atPath: path + "/keys", withIntermediateDirectories: true)
      try Data("nope".utf8).write(to: URL(fileURLWithPath: path + "/keys/000001.pem"))
      let keys = KeySet(directory: path, clock: ManualClock())
      do {
        _ = try await keys.current()
        Issue.record("a broken key was taken")
      } catch {
        #expect("\(error)".contains("000001.pem"))
      }
      #expect(keys.hasStoredKeys && keys.hasFailed)
      try FileManager.default.removeItem(atPath: path + "/keys/000001.pem")
      _ = try await keys.current()
      #expect(!keys.hasFailed)
    }
  }

  @Test func `are not waited for by a task that is cancelled`() async throws {
    // The first key is made when the test is over.
    let end = DispatchSemaphore(value: 0)
    let keys = KeySet(directory: nil, clock: ManualClock()) { now in
      end.wait()
      return try SigningKey.generate(now: now)
    }
    defer { end.signal() }
    let before = Task { try await keys.all() }
    let after = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await keys.all()
    }
    before.cancel()
    for task in [before, after] {
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  @Test func `that others can read are reported`() async throws {
    try await withDirectory { path in
      let keys = KeySet(directory: path, clock: ManualClock())
      try await keys.waitUntilReady()
      #expect(keys.exposedFiles == [])
      let file = path + "/keys/000001.pem"
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
      let again = KeySet(directory: path, clock: ManualClock())
      try await again.waitUntilReady()
      #expect(again.exposedFiles == [file])
    }
  }

  @Test func `that cannot be written are reported in plain words`() async throws {
    try await withDirectory { path in
      let keys = KeySet(directory: path, clock: ManualClock())
      try await keys.waitUntilReady()
      // What cannot be removed is in the way.
      try FileManager.default.createDirectory(
        atPath: path + "/keys/000002.pem.partial", withIntermediateDirectories: true)
      await #expect(throws: KeyError.self) { try await keys.rotate() }
      do {
        _ = try await keys.rotate()
      } catch let error as KeyError {
        #expect("\(error)".hasSuffix("/keys: File exists"))
        #expect(!error.isFullDisk)
      }
      #expect(try await keys.all().count == 1)
    }
  }
}
