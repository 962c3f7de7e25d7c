import HearthCrypto
package import HearthErrors
package import HearthTime
package import HearthWire

/// What the operator wants opened: `{"projectId": "demo-x", "ttl": "2h", "quotaBytes": 50000000}`.
/// Every member may be left out.
package struct ProjectOrder: Sendable {
  package let id: String
  package let lifetime: Duration
  package let quota: Int64?

  private static let members: Set = ["projectId", "ttl", "quotaBytes"]
  private static let standard = Duration.seconds(86_400)
  private static let bounds = Duration.seconds(1)...Duration.seconds(366 * 86_400)

  /// - Throws: INVALID_ARGUMENT with the name of the member that cannot be used. The form of the id
  ///   is not checked here.
  package init(_ body: JSONObject) throws(APIError) {
    if let unknown = body.keys.first(where: { !Self.members.contains($0) }) {
      throw APIError(.invalidArgument, detail: "/\(unknown) is not a member of this request")
    }
    id = try Self.string("projectId", of: body) ?? Self.makeId()
    let text = try Self.string("ttl", of: body)
    let lifetime = text.map { Duration(written: $0) } ?? Self.standard
    guard let lifetime, Self.bounds.contains(lifetime) else {
      throw APIError(.invalidArgument, detail: "/ttl must be a time such as 2h or 7d, up to 366d")
    }
    self.lifetime = lifetime
    switch body["quotaBytes"] {
    case nil, .null: quota = nil
    case .int(let bytes) where bytes > 0: quota = bytes
    default:
      throw APIError(.invalidArgument, detail: "/quotaBytes must be a number of bytes above 0")
    }
  }

  private static func string(_ name: String, of body: JSONObject) throws(APIError) -> String? {
    guard let value = body[name], value != .null else { return nil }
    guard let text = value.string, !text.isEmpty else {
      throw APIError(.invalidArgument, detail: "/\(name) must be a text")
    }
    return text
  }

  /// API keys select projects whose ids begin like that.
  private static func makeId() -> String {
    "demo-" + String(decoding: Randomness().bytes(8).hexDigits, as: UTF8.self)
  }

  /// The project that is opened now, with its token.
  package func opened(at now: Timestamp) -> (project: SharedProject, token: String) {
    let token = TokenHash.makeToken()
    return (
      SharedProject(
        id: id, hash: TokenHash(of: token), openedAt: now, expires: now + lifetime, quota: quota),
      token
    )
  }
}
