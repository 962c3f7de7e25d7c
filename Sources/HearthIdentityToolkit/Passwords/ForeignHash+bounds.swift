import HearthErrors
import HearthWire

extension ForeignHash {
  /// Judges the parameters of an import as production does, in its words. A parameter that is not
  /// given counts as zero.
  static func checkBounds(_ request: JSONObject) throws(APIError) {
    guard let name = (request["hashAlgorithm"]?.string).nonEmpty else { return }
    func require(
      _ range: ClosedRange<Int64>, field: String, refusal: ErrorCode
    ) throws(APIError) {
      guard range.contains(request[field]?.integer ?? 0) else { throw APIError(refusal) }
    }
    switch name {
    case "HMAC_SHA256", "HMAC_SHA1", "HMAC_MD5":
      guard (request["signerKey"]?.string).isGiven else { throw APIError(.emptyHashKey) }
    case "PBKDF_SHA1", "PBKDF2_SHA256":
      try require(1...120_000, field: "rounds", refusal: .invalidHashRounds)
    case "MD5", "SHA1", "SHA256", "SHA512":
      try require(0...8192, field: "rounds", refusal: .invalidHashRounds)
    case "SCRYPT":
      try require(1...8, field: "rounds", refusal: .invalidHashRounds)
      try require(1...14, field: "memoryCost", refusal: .invalidHashMemoryCost)
    case "STANDARD_SCRYPT":
      for field in ["cpuMemCost", "parallelization", "blockSize", "dkLen"] {
        try require(1...Int64.max, field: field, refusal: .invalidHashParameter)
      }
    case "ARGON2": try checkArgon2(request["argon2Parameters"]?.object ?? JSONObject())
    case "BCRYPT", "HMAC_SHA512": break
    default: throw APIError(.invalidHashAlgorithm)
    }
  }

  private static func checkArgon2(_ parameters: JSONObject) throws(APIError) {
    let bounds: [(String, ClosedRange<Int64>, ErrorCode)] = [
      ("memoryCostKib", 1...32_768, .invalidArgon2MemoryCost),
      ("iterations", 1...16, .invalidArgon2Iterations),
      ("parallelism", 1...16, .invalidArgon2Parallelism),
    ]
    for (field, range, refusal) in bounds
    where !range.contains(parameters[field]?.integer ?? 0) {
      throw APIError(refusal)
    }
    guard ["ARGON2_D", "ARGON2_I", "ARGON2_ID"].contains(parameters["hashType"]?.string) else {
      throw APIError(.invalidArgon2HashType)
    }
  }
}
