/// App Check in a seed: what is enforced, and the secrets of debug builds.
extension Seed {
  private static let appCheckSwitches: KeyValuePairs<String, String> = [
    "auth": "appCheckAuth", "firestore": "appCheckFirestore", "replay": "appCheckReplay",
    "attestation": "appCheckAttestation",
  ]

  mutating func readAppCheck(_ node: SeedNode) throws(SeedFault) {
    let known = Self.appCheckSwitches.map(\.key) + ["debugTokens"]
    for (name, member) in try node.members(known) {
      if let choice = Self.appCheckSwitches.first(where: { $0.key == name })?.value {
        // In YAML, `off` is a text.
        _ = try member.text()
        appCheck.append((choice, member))
      } else {
        for (app, tokens) in try member.members() {
          for token in try tokens.elements() {
            _ = try token.members(["displayName", "token"])
            debugTokens.append((app, token))
          }
        }
      }
    }
  }
}
