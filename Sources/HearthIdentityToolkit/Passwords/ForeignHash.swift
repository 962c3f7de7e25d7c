import HearthCrypto
package import HearthErrors
package import HearthWire

/// How an imported password was hashed elsewhere: `hashAlgorithm` and its parameters.
///
/// https://cloud.google.com/identity-platform/docs/reference/rest/v1/projects.accounts/batchCreate
package struct ForeignHash: Sendable, Equatable {
  let algorithm: Algorithm
  /// The parameters of the request, as they came.
  let parameters: JSONObject

  enum Algorithm: String, Sendable, CaseIterable {
    case scrypt = "SCRYPT"
    case standardScrypt = "STANDARD_SCRYPT"
    case bcrypt = "BCRYPT"
    case pbkdfSHA1 = "PBKDF_SHA1"
    case pbkdf2SHA256 = "PBKDF2_SHA256"
    case hmacSHA512 = "HMAC_SHA512"
    case hmacSHA256 = "HMAC_SHA256"
    case hmacSHA1 = "HMAC_SHA1"
    case hmacMD5 = "HMAC_MD5"
    case sha512 = "SHA512"
    case sha256 = "SHA256"
    case sha1 = "SHA1"
    case md5 = "MD5"
    case argon2 = "ARGON2"
  }

  private static let kept = [
    "hashAlgorithm", "signerKey", "saltSeparator", "rounds", "memoryCost", "cpuMemCost",
    "parallelization", "blockSize", "dkLen", "passwordHashOrder",
    "argon2Parameters",
  ]

  /// Reads the parameters of an import; nil when it names no algorithm.
  ///
  /// `needsKey` tells whether an algorithm with a key is refused without one. Where it is not, the
  /// hashes match nothing.
  package init?(_ request: JSONObject, needsKey: Bool = true) throws(APIError) {
    guard let name = (request["hashAlgorithm"]?.string).nonEmpty else { return nil }
    guard let algorithm = Algorithm(rawValue: name.uppercased()) else {
      let known = Algorithm.allCases.map(\.rawValue).joined(separator: ", ")
      throw APIError(
        .invalidHashAlgorithm, detail: "\(name) cannot be verified here; known are \(known)")
    }
    self.algorithm = algorithm
    var parameters = JSONObject()
    for name in Self.kept {
      if let value = request[name] { parameters.append(name, value: value) }
    }
    self.parameters = parameters
    try checkRanges()
    if needsKey, lacksKey { throw APIError(.missingSignerKey) }
  }

  /// As stored with a user.
  init?(stored: JSON?) {
    guard let object = stored?.object,
      let algorithm = Algorithm(rawValue: (object["hashAlgorithm"]?.string ?? "").uppercased())
    else { return nil }
    self.algorithm = algorithm
    parameters = object
  }

  /// Costs are bounded, so that no sign-in can take minutes or gigabytes.
  private func checkRanges() throws(APIError) {
    let bounds: [(name: String, range: ClosedRange<Int64>)] =
      switch algorithm {
      case .scrypt: [("rounds", 1...8), ("memoryCost", 1...14)]
      case .standardScrypt:
        [
          ("cpuMemCost", 2...1 << 20), ("parallelization", 1...16), ("blockSize", 1...64),
          ("dkLen", 1...1024),
        ]
      case .pbkdfSHA1, .pbkdf2SHA256: [("rounds", 0...120_000)]
      case .sha512, .sha256, .sha1, .md5: [("rounds", 0...8192)]
      case .bcrypt, .hmacSHA512, .hmacSHA256, .hmacSHA1, .hmacMD5, .argon2: []
      }
    for bound in bounds {
      guard let value = parameters[bound.name]?.integer else { continue }
      guard bound.range.contains(value) else {
        throw APIError(
          .invalidHashParameter,
          detail:
            "\(bound.name) must be from \(bound.range.lowerBound) to \(bound.range.upperBound)")
      }
    }
    if algorithm == .argon2, argon2 == nil {
      throw APIError(
        .invalidHashParameter,
        detail:
          "ARGON2 needs argon2Parameters: a hashType, iterations and parallelism from 1 to 16, and "
          + "memoryCostKib from 8 for each of the latter to 32768")
    }
    guard algorithm == .standardScrypt else { return }
    guard Scrypt.accepts(n: scryptCost, r: scryptBlockSize, p: scryptParallelization) else {
      throw APIError(
        .invalidHashParameter,
        detail:
          "cpuMemCost must be a power of two, and with blockSize and parallelization stay within "
          + "256 MiB of memory and \(Scrypt.mostSteps) steps")
    }
  }

  /// Whether the algorithm has a key and the parameters have none.
  var lacksKey: Bool {
    switch algorithm {
    case .scrypt, .hmacSHA512, .hmacSHA256, .hmacSHA1, .hmacMD5: bytes("signerKey").isEmpty
    case .standardScrypt, .bcrypt, .pbkdfSHA1, .pbkdf2SHA256, .sha512, .sha256, .sha1, .md5,
      .argon2:
      false
    }
  }

  /// Nobody derives more, and each 20 or 32 bytes take all rounds again.
  private static let longestDerivedKey = 128

  /// Why the hash of one user cannot be verified in reasonable time; nil when it can.
  func refusal(of hash: String) -> String? {
    guard let stored = Base64.decode(hash) else { return nil }
    switch algorithm {
    case .bcrypt:
      guard let cost = BCrypt.cost(of: String(decoding: stored, as: UTF8.self)),
        !BCrypt.costs.contains(cost)
      else { return nil }
      let bounds = "from \(BCrypt.costs.lowerBound) to \(BCrypt.costs.upperBound)"
      return "the cost of a BCRYPT hash must be \(bounds), and is \(cost)"
    case .pbkdfSHA1, .pbkdf2SHA256, .argon2:
      guard stored.count > Self.longestDerivedKey else { return nil }
      return "a hash of \(algorithm.rawValue) must have at most \(Self.longestDerivedKey) bytes"
    case .scrypt, .standardScrypt, .hmacSHA512, .hmacSHA256, .hmacSHA1, .hmacMD5, .sha512, .sha256,
      .sha1, .md5:
      return nil
    }
  }

  // MARK: Verifying

  /// Whether the password fits. Slow on purpose for some algorithms: neither for a transaction nor
  /// for a thread that reads sockets.
  func matches(_ password: String, hash: String, salt: String) -> Bool {
    guard let stored = Base64.decode(hash), let salt = Base64.decode(salt), !lacksKey,
      refusal(of: hash) == nil
    else { return false }
    let password = Array(password.utf8)
    switch algorithm {
    case .scrypt: return equal(stored, derived: firebaseScrypt(password, salt: salt))
    case .standardScrypt: return equal(stored, derived: standardScrypt(password, salt: salt))
    case .bcrypt:
      return BCrypt.matches(
        String(decoding: password, as: UTF8.self), hash: String(decoding: stored, as: UTF8.self))
    case .pbkdfSHA1, .pbkdf2SHA256:
      let digest = algorithm == .pbkdfSHA1 ? Digest.sha1 : .sha256
      return equal(
        stored,
        derived: digest.pbkdf2(
          password: password, salt: salt, rounds: number("rounds", fallback: 1),
          length: max(1, stored.count)))
    case .hmacSHA512:
      return anyOrder(.sha512, stored: stored, password: password, salt: salt, isKeyed: true)
    case .hmacSHA256:
      return anyOrder(.sha256, stored: stored, password: password, salt: salt, isKeyed: true)
    case .hmacSHA1:
      return anyOrder(.sha1, stored: stored, password: password, salt: salt, isKeyed: true)
    case .hmacMD5:
      return anyOrder(.md5, stored: stored, password: password, salt: salt, isKeyed: true)
    case .sha512:
      return anyOrder(.sha512, stored: stored, password: password, salt: salt, isKeyed: false)
    case .sha256:
      return anyOrder(.sha256, stored: stored, password: password, salt: salt, isKeyed: false)
    case .sha1:
      return anyOrder(.sha1, stored: stored, password: password, salt: salt, isKeyed: false)
    case .md5: return anyOrder(.md5, stored: stored, password: password, salt: salt, isKeyed: false)
    case .argon2:
      return equal(stored, derived: derivedByArgon2(password, salt: salt, length: stored.count))
    }
  }

  private func equal(_ stored: [UInt8], derived: [UInt8]?) -> Bool {
    derived.map { ConstantTime.equal(stored, $0) } ?? false
  }

  private func bytes(_ name: String) -> [UInt8] {
    (parameters[name]?.string).flatMap { Base64.decode($0) } ?? []
  }

  private func number(_ name: String, fallback: Int64) -> Int {
    Int(max(1, parameters[name]?.integer ?? fallback))
  }

  /// Firebase's own: scrypt makes a key, which encrypts the signer key.
  /// https://github.com/firebase/scrypt
  private func firebaseScrypt(_ password: [UInt8], salt: [UInt8]) -> [UInt8]? {
    let derived = Scrypt.derive(
      password: password, salt: salt + bytes("saltSeparator"),
      n: 1 << UInt64(number("memoryCost", fallback: 14)), r: UInt64(number("rounds", fallback: 8)),
      p: 1, length: 64)
    return derived.flatMap { AES.ctr256(bytes("signerKey"), key: Array($0.prefix(32))) }
  }

  private func standardScrypt(_ password: [UInt8], salt: [UInt8]) -> [UInt8]? {
    Scrypt.derive(
      password: password, salt: salt, n: scryptCost, r: scryptBlockSize,
      p: scryptParallelization, length: number("dkLen", fallback: 64))
  }

  private var argon2: Argon2? {
    let options = parameters["argon2Parameters"]
    let kinds: [String: Argon2.Kind] = ["ARGON2_D": .d, "ARGON2_I": .i, "ARGON2_ID": .id]
    guard let kind = (options?["hashType"]?.string).flatMap({ kinds[$0] }) else { return nil }
    func number(_ name: String) -> Int { Int(clamping: options?[name]?.integer ?? 0) }
    return Argon2(
      kind: kind, memory: number("memoryCostKib"), iterations: number("iterations"),
      parallelism: number("parallelism"),
      version: options?["version"]?.string == "VERSION_10" ? 16 : 19)
  }

  private func derivedByArgon2(
    _ password: [UInt8], salt: [UInt8], length: Int
  ) -> [UInt8]? {
    let data = parameters["argon2Parameters"]?["associatedData"]?.string
    return argon2?.derive(
      password: password, salt: salt, data: data.flatMap { Base64.decode($0) } ?? [],
      length: max(4, length))
  }

  private var scryptCost: UInt64 { UInt64(number("cpuMemCost", fallback: 1024)) }
  private var scryptBlockSize: UInt64 { UInt64(number("blockSize", fallback: 8)) }
  private var scryptParallelization: UInt64 { UInt64(number("parallelization", fallback: 16)) }

  /// Salt first, or password first, as `passwordHashOrder` says; either when it says nothing.
  private func anyOrder(
    _ digest: Digest, stored: [UInt8], password: [UInt8], salt: [UInt8], isKeyed: Bool
  ) -> Bool {
    let separator = bytes("saltSeparator")
    let saltFirst = salt + separator + password
    let passwordFirst = password + separator + salt
    let inputs: [[UInt8]] =
      switch parameters["passwordHashOrder"]?.string {
      case "SALT_AND_PASSWORD": [saltFirst]
      case "PASSWORD_AND_SALT": [passwordFirst]
      default: [saltFirst, passwordFirst]
      }
    let key = bytes("signerKey")
    return inputs.contains { input in
      if isKeyed { return ConstantTime.equal(stored, digest.hmac(input, key: key)) }
      var hash = digest.hash(input)
      for _ in 1..<number("rounds", fallback: 1) { hash = digest.hash(hash) }
      if ConstantTime.equal(stored, hash) { return true }
      // Production takes MD5 as the text of its digits.
      return digest == .md5 && ConstantTime.equal(stored, hash.hexDigits)
    }
  }
}
