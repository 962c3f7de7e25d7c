import HearthWire

/// What the back end hands out at log-in.
struct SessionRule: Sendable {
  let format: SecretFormat
  let lifetime: TokenLifetime
  /// The word before the token in its header: `Bearer`. Empty when the token stands alone.
  let scheme: String
  let source: FieldSource
  /// How long a refresh token holds; nil when there are none.
  let refreshLifetime: TokenLifetime?

  static let bearer = SessionRule()

  private init() {
    format = .sessionToken
    lifetime = TokenLifetime(seconds: 30 * 86_400)
    scheme = "Bearer"
    source = .authorization
    refreshLifetime = nil
  }

  init(_ value: DefinitionValue) throws(DefinitionFault) {
    let object = try value.object(
      SecretFormat.members + ["lifetime", "refreshLifetime", "scheme", "from"])
    format = object["kind"] == nil ? .sessionToken : try SecretFormat(object)
    lifetime = try TokenLifetime(object.required("lifetime"))
    refreshLifetime = try object.optional("refreshLifetime", read: TokenLifetime.init)
    source = try object.optional("from", read: FieldSource.init) ?? .authorization
    if let scheme = object["scheme"] {
      guard let text = scheme.json.string, text.utf8.allSatisfy(\.isASCIIVisible) else {
        throw scheme.fault("must be a word, or empty")
      }
      self.scheme = text
    } else {
      scheme = source == .authorization ? "Bearer" : ""
    }
    guard source.place != .path else {
      throw object.missing("from", reason: "cannot be a part of the path")
    }
  }

  /// The token of a header such as `Bearer abc`.
  func token(in value: String) -> String? {
    guard !scheme.isEmpty else { return value }
    guard value.lowercased().hasPrefix(scheme.lowercased() + " ") else { return nil }
    return String(value.dropFirst(scheme.count).drop { $0 == " " })
  }
}
