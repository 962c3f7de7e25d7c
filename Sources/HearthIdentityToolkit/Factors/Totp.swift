import HearthCrypto
import HearthErrors
import HearthOperations
import HearthTime
import HearthWire

/// Time-based one-time passwords (RFC 6238) with the parameters that authenticator apps expect.
enum Totp {
  static let period: Int64 = 30
  static let digits = 6

  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")

  static func step(at time: Timestamp) -> Int64 { time.seconds / period }

  /// The code of a time step.
  static func code(secret: [UInt8], step: Int64) -> String {
    let counter = (0..<8).map { UInt8(truncatingIfNeeded: step >> (56 - 8 * $0)) }
    let mac = Digest.sha1.hmac(counter, key: secret)
    let offset = Int(mac[19] & 0xF)
    let number =
      UInt32(mac[offset] & 0x7F) << 24 | UInt32(mac[offset + 1]) << 16
      | UInt32(mac[offset + 2]) << 8 | UInt32(mac[offset + 3])
    let text = String(number % 1_000_000)
    return String(repeating: "0", count: digits - text.count) + text
  }

  static func base32(_ bytes: [UInt8]) -> String {
    var output = ""
    var bits: UInt32 = 0
    var count = 0
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      count += 8
      while count >= 5 {
        count -= 5
        output.append(alphabet[Int(bits >> UInt32(count) & 0x1F)])
      }
    }
    if count > 0 { output.append(alphabet[Int(bits << UInt32(5 - count) & 0x1F)]) }
    return output
  }

  static func bytes(base32 text: String) -> [UInt8] {
    var output: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    for character in text {
      guard let value = alphabet.firstIndex(of: character) else { continue }
      bits = bits << 5 | UInt32(value)
      count += 5
      if count >= 8 {
        count -= 8
        output.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return output
  }

  /// The step of a code that is right now, or was or will be up to `window` periods away; nil if it
  /// is wrong or not newer than the last one that was used.
  static func acceptedStep(
    _ code: String, secret: String, at time: Timestamp, after used: Int64?, window: Int64 = 1
  ) -> Int64? {
    let key = bytes(base32: secret)
    let (now, last) = (step(at: time), used ?? -1)
    // Types, because the compiler looks for these for seconds.
    let steps = (0...window).flatMap { (distance: Int64) -> [Int64] in
      distance == 0 ? [now] : [now - distance, now + distance]
    }
    return steps.first { step in
      step > last && ConstantTime.equal(Self.code(secret: key, step: step), code)
    }
  }
}

extension User {
  /// Checks a code of an authenticator app, and sees to it that it works only once.
  mutating func redeemTotp(
    _ proof: TotpProof, enrollmentId: String?, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> MfaEnrollment {
    guard let id = enrollmentId.nonEmpty else {
      throw try SecondFactors(in: project).refusal(.noEnrollmentId)
    }
    guard let code = proof.verificationCode.nonEmpty else {
      throw try SecondFactors(in: project).refusal(.noCode)
    }
    guard let index = mfaInfo?.firstIndex(where: { $0.mfaEnrollmentId == id }),
      let factor = mfaInfo?[index], let secret = factor.totpSecret
    else { throw try SecondFactors(in: project).refusal(.unknownApp) }
    let step = Totp.acceptedStep(
      code, secret: secret, at: context.now, after: factor.totpUsedStep,
      window: try SecondFactors(in: project).totpWindow())
    guard let step else { throw APIError(.invalidCode) }
    mfaInfo?[index].totpUsedStep = step
    return factor
  }
}
