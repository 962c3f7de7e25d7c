/// What a reset token is and how long it can be used.
struct TokenRule: Sendable {
  let format: SecretFormat
  let lifetime: TokenLifetime
  /// Failed attempts after which a token is dead; nil when they are not counted.
  let attempts: Int?
  /// Whether a new token ends the account's earlier ones.
  let replacesOlder: Bool

  init(_ value: DefinitionValue) throws(DefinitionFault) {
    let object = try value.object(
      SecretFormat.members + ["lifetime", "attempts", "replacesOlder"])
    format = try SecretFormat(object)
    lifetime = try TokenLifetime(object.required("lifetime"))
    attempts = try object["attempts"]?.integer(in: 1...1_000)
    replacesOlder = try object.bool("replacesOlder", default: true)
  }
}
