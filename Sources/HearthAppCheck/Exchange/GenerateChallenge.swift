import HearthCrypto
package import HearthErrors
package import HearthOperations
import HearthWire

/// What a device has to sign, or to have signed, so that its attestation is fresh.
package enum GenerateChallenge: Operation {
  private static let lifetime = "300s"

  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    _ = try AppID.check(request)
    if try project.switches().appCheckAttestation == .quota { throw AttestationRefusal.quota }
    let challenge = context.random.bytes(32)
    return .json([
      "challenge": .string(Base64.encode(challenge)), "ttl": .string(lifetime),
    ])
  }
}
