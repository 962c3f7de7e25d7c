extension Builtin {
  static let hashingFunctions: [Builtin] = [
    Builtin(hashing: "md5") { try $1.requireDigests().md5($0) },
    Builtin(hashing: "sha256") { try $1.requireDigests().sha256($0) },
    Builtin(hashing: "crc32") { bytes, _ in crc(bytes, reversedPolynomial: 0xEDB8_8320) },
    Builtin(hashing: "crc32c") { bytes, _ in crc(bytes, reversedPolynomial: 0x82F6_3B78) },
  ]

  private init(
    hashing function: String,
    _ digest: @escaping @Sendable (_ bytes: [UInt8], _ budget: RuleBudget) throws -> [UInt8]
  ) {
    self.init(metered: "hashing." + function, arity: 1) { arguments, budget in
      // Up to 15 nanoseconds for each byte.
      try budget.spend(10 + arguments[0].surfaceSize / 6)
      return .bytes(try digest(try Self.input(arguments[0]), budget))
    }
  }

  /// The functions take bytes or a string.
  private static func input(_ value: RuleValue) throws -> [UInt8] {
    if case .string(let text) = value { return Array(text.utf8) }
    return try value.bytes()
  }

  private static func crc(_ bytes: [UInt8], reversedPolynomial: UInt32) -> [UInt8] {
    var sum: UInt32 = .max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ reversedPolynomial }
    }
    sum = ~sum
    // The lowest byte first, as the official emulator has it.
    return [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: sum >> $0) }
  }
}
