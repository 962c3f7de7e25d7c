import HearthCrypto
import HearthOperations
import HearthTime
import HearthWire

/// A request that a client has signed with HMAC-SHA1: RFC 5849, section 3.
struct SignedRequest {
  let client: String
  /// The token that was signed with, and what it was given out for; nil for a request without one.
  private(set) var grant: Grant?
  private(set) var token = ""
  /// The parameters of the protocol.
  private let fields: [String: String]

  /// How far a client's clock may be from ours, in seconds.
  private static let tolerance: Int64 = 300

  subscript(field: String) -> String? { fields[field].nonEmpty }

  /// Verifies a request.
  ///
  /// - Parameters:
  ///   - call: the request.
  ///   - method: with what the endpoint is called.
  ///   - endpoint: where.
  ///   - kind: the kind of the token that has to be there; nil for none.
  /// - Throws: ``SignatureProblem``.
  init(
    _ call: ProviderCall, method: String, endpoint: ProviderAddresses.Endpoint, kind: Grant.Kind?
  ) throws {
    let header = Self.pairs(ofHeader: call.context.authorization)
    let pairs = header.filter { $0.name != "realm" } + call.pairs
    fields = try Self.fields(pairs)
    guard let client = fields["oauth_consumer_key"].nonEmpty,
      let signature = fields["oauth_signature"].nonEmpty
    else { throw SignatureProblem.missing }
    self.client = client
    guard fields["oauth_signature_method"] == "HMAC-SHA1",
      fields["oauth_version"] ?? "1.0" == "1.0", let nonce = fields["oauth_nonce"].nonEmpty,
      max(client.utf8.count, nonce.utf8.count) <= 1024
    else { throw SignatureProblem.refused }
    try checkTime(call)
    if let kind {
      token = fields["oauth_token"] ?? ""
      guard let grant = try call.grants.grant(token, kind: kind, at: call.context.now)?.grant,
        grant.provider == call.personality.name, grant.client == client,
        grant.tokenSecret != nil
      else { throw SignatureProblem.badToken }
      self.grant = grant
    }
    let base = [method, call.asked[endpoint], Self.normalized(pairs)]
      .map(PercentCoding.encodeComponent).joined(separator: "&")
    try check(signature, of: base, call)
    try useUp(nonce, call)
  }

  // MARK: Parameters

  /// `OAuth realm="…", oauth_consumer_key="…", …`
  private static func pairs(ofHeader header: String?) -> [FormFields.Pair] {
    guard let header, header.lowercased().hasPrefix("oauth ") else { return [] }
    return header.dropFirst(6).split(separator: ",").compactMap { part in
      let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard halves.count == 2 else { return nil }
      let texts = halves.map { half in
        let isPadding: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\"" }
        return String(half.drop(while: isPadding).reversed().drop(while: isPadding).reversed())
      }
      return FormFields.Pair(
        name: PercentCoding.decode(texts[0]), value: PercentCoding.decode(texts[1]))
    }
  }

  /// Those of the protocol may not be given twice.
  private static func fields(_ pairs: [FormFields.Pair]) throws -> [String: String] {
    var fields: [String: String] = [:]
    for pair in pairs where pair.name.hasPrefix("oauth_") {
      guard fields.updateValue(pair.value, forKey: pair.name) == nil else {
        throw SignatureProblem.missing
      }
    }
    return fields
  }

  private static func normalized(_ pairs: [FormFields.Pair]) -> String {
    pairs.filter { $0.name != "oauth_signature" }
      .map { pair in
        (
          name: PercentCoding.encodeComponent(pair.name),
          value: PercentCoding.encodeComponent(pair.value)
        )
      }
      .sorted { ($0.name, $0.value) < ($1.name, $1.value) }
      .map { "\($0.name)=\($0.value)" }.joined(separator: "&")
  }

  // MARK: Checks

  /// A client's clock is the machine's, also where a test has moved that of the project.
  private func checkTime(_ call: ProviderCall) throws {
    guard let time = fields["oauth_timestamp"].flatMap({ Int64($0) }) else {
      throw SignatureProblem.refused
    }
    let isNear = [call.context.now, call.project.server.clock.now].contains { now in
      (now.seconds - Self.tolerance...now.seconds + Self.tolerance).contains(time)
    }
    guard isNear else { throw SignatureProblem.badTime }
  }

  /// Without registered clients everybody is one, and nobody's secret is known.
  private func check(_ signature: String, of base: String, _ call: ProviderCall) throws {
    guard !call.settings.clients.isEmpty else { return }
    guard let known = call.settings.clients.first(where: { $0.id == client }) else {
      throw SignatureProblem.refused
    }
    let key = [known.secret ?? "", grant?.tokenSecret ?? ""]
      .map(PercentCoding.encodeComponent).joined(separator: "&")
    let wanted = Base64.encode(Digest.sha1.hmac(Array(base.utf8), key: Array(key.utf8)))
    guard ConstantTime.equal(signature, wanted) else { throw SignatureProblem.refused }
  }

  /// A request counts once.
  private func useUp(_ nonce: String, _ call: ProviderCall) throws {
    let text = [call.personality.name, client, token, fields["oauth_timestamp"] ?? "", nonce]
      .joined(separator: "\n")
    guard try call.grants.grant(text, kind: .nonce, at: call.context.now) == nil else {
      throw SignatureProblem.refused
    }
    try call.grants.keep(
      Grant(
        provider: call.personality.name, persona: "", client: client, scope: "", family: ""),
      as: .nonce, text: text, seconds: 2 * Self.tolerance, at: call.context.now)
  }
}
