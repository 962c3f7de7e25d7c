import HearthCrypto
import HearthTestSupport
import HearthWire
import Testing

@Suite struct `Hashes from elsewhere` {
  private static func base64(_ text: String) -> JSON { .string(Base64.encode(Array(text.utf8))) }

  private static func bcrypt(cost: String) -> JSON {
    base64("$2b$\(cost)$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy")
  }

  private func imported(
    _ server: TestServer, parameters: KeyValuePairs<String, JSON?>, users: [JSON]
  ) async throws -> TestServer.Reply {
    var body = JSONObject(parameters)
    body["users"] = .array(users)
    return try await server.admin("/accounts:batchCreate", body: .object(body))
  }

  @Test(arguments: ["03", "14", "31", "99"])
  func `that would take minutes leave out one account`(cost: String) async throws {
    try await TestServer.open { server in
      let reply = try await imported(
        server, parameters: ["hashAlgorithm": "BCRYPT"],
        users: [
          ["localId": "slow", "passwordHash": Self.bcrypt(cost: cost)],
          ["localId": "quick", "passwordHash": Self.bcrypt(cost: "04")],
        ])
      #expect(reply.status == 200)
      let message = "the cost of a BCRYPT hash must be from 4 to 13, and is \(Int(cost) ?? 0)"
      #expect(reply["error"] == [["index": 0, "message": .string(message)]])
    }
  }

  @Test func `of PBKDF2 that are too long leave out one account`() async throws {
    try await TestServer.open { server in
      let reply = try await imported(
        server, parameters: ["hashAlgorithm": "PBKDF2_SHA256", "rounds": 1],
        users: [["localId": "a", "passwordHash": Self.base64(String(repeating: "x", count: 129))]])
      #expect(
        reply["error"]?.array?.first?["message"]
          == "a hash of PBKDF2_SHA256 must have at most 128 bytes")
    }
  }

  @Test(arguments: [
    (1 << 16, 64, 1), (1 << 18, 8, 4), (1 << 20, 1, 16),
  ])
  func `of scrypt that would take a gigabyte or minutes are refused`(
    cost: Int64, blockSize: Int64, parallelization: Int64
  ) async throws {
    try await TestServer.open { server in
      let reply = try await imported(
        server,
        parameters: [
          "hashAlgorithm": "STANDARD_SCRYPT", "cpuMemCost": .int(cost),
          "blockSize": .int(blockSize), "parallelization": .int(parallelization),
        ], users: [["localId": "a"]])
      #expect(reply.message?.hasPrefix("INVALID_HASH_PARAMETER : cpuMemCost ") == true)
    }
  }

  @Test(arguments: ["SCRYPT", "HMAC_SHA256"])
  func `without their key are taken and match nothing`(algorithm: String) async throws {
    try await TestServer.open { server in
      let hash = Base64.encode(Digest.sha256.hmac(Array("secret1".utf8), key: []))
      let reply = try await imported(
        server, parameters: ["hashAlgorithm": .string(algorithm)],
        users: [["localId": "a", "email": "a@b.c", "passwordHash": .string(hash)]])
      #expect(reply.status == 200 && reply["error"] == [])
      #expect(server.log.lines.contains { $0.contains("without a signerKey") })
      #expect(try await server.signIn("a@b.c").message == "INVALID_PASSWORD")
    }
  }

  @Test func `of MD5 are taken raw and as digits`() async throws {
    try await TestServer.open { server in
      let digest = Digest.md5.hash(Array("saltsecret1".utf8))
      let reply = try await imported(
        server, parameters: ["hashAlgorithm": "MD5", "rounds": 0],
        users: [
          [
            "localId": "raw", "email": "raw@b.c", "salt": Self.base64("salt"),
            "passwordHash": .string(Base64.encode(digest)),
          ],
          [
            "localId": "hex", "email": "hex@b.c", "salt": Self.base64("salt"),
            "passwordHash": .string(Base64.encode(digest.hexDigits)),
          ],
        ])
      #expect(reply["error"] == [])
      for email in ["raw@b.c", "hex@b.c"] {
        #expect(try await server.signIn(email, password: "secret2").message == "INVALID_PASSWORD")
        #expect(try await server.signIn(email).status == 200)
      }
    }
  }

  @Test(arguments: [nil, "sand"])
  func `in clear count with the salt beside them only`(salt: String?) async throws {
    try await TestServer.open { server in
      let hash = "fakeHash:salt=beach:password=hawaii"
      _ = try await imported(
        server, parameters: [:],
        users: [
          .members([
            "localId": "a", "email": "a@b.c", "passwordHash": .string(hash), "salt": salt.json,
          ])
        ])
      #expect(try await server.signIn("a@b.c", password: "hawaii").message == "INVALID_PASSWORD")
      let user = try await server.admin("/accounts:lookup", body: ["localId": ["a"]])
      #expect(!user.text.contains("hawaii"))
    }
  }
}
