import HTTPTypes
import HearthControl
import HearthOperations
import HearthServiceAccounts
import HearthTime
import HearthTransport
import HearthWire

/// The metadata server of Google's machines, which programs without a key file ask for tokens.
/// https://cloud.google.com/compute/docs/metadata/querying-metadata
enum GetMetadata: ServerOperation {
  static func run(
    _ request: ServerRequest, with google: GoogleTokens
  ) async throws -> OutgoingReply {
    var reply = try await answer(request, google: google)
    reply.headers[.metadataFlavor] = flavor
    reply.headers[.server] = "Metadata Server for VM"
    reply.headers[.cacheControl] = "no-store"
    return reply
  }

  private static let flavor = "Google"

  private static func answer(
    _ request: ServerRequest, google: GoogleTokens
  ) async throws -> OutgoingReply {
    // As the real one: what comes from a page, or through a proxy, is refused.
    guard request.call.headers[.origin] == nil, request.call.headers[.xForwardedFor] == nil,
      isNamed(request.call.host, hosts: google.hosts)
    else { return text("Forbidden\n", status: 403) }
    var path = (request.wire.path["path"] ?? "")[...]
    if path.isEmpty { return text("computeMetadata/\n") }
    guard request.call.headers[.metadataFlavor] == flavor else {
      return text("Missing required header: Metadata-Flavor: Google\n", status: 403)
    }
    if path.hasPrefix("computeMetadata/v1") { path = path.dropFirst("computeMetadata/v1".count) }
    let names = path.split(separator: "/").map(String.init)
    let account = try await google.server.serviceAccounts.account()
    let query = FormFields(parsing: request.call.query)
    let owner = ["instance", "service-accounts"]
    if names.count == 4, Array(names.prefix(2)) == owner,
      ["default", account.email].contains(names[2])
    {
      if names[3] == "token" { return token(account, query: query, google: google) }
      if names[3] == "identity" {
        return try await identity(account, query: query, google: google)
      }
    }
    guard let found = find(names, in: tree(account)) else {
      return text("Not Found\n", status: 404)
    }
    return show(found, query: query)
  }

  /// A page could give this machine a name of its own.
  private static func isNamed(_ host: String?, hosts: Hosts) -> Bool {
    guard let host else { return true }
    return hosts.accepts(host) || Hosts.name(of: host).map(GoogleHosts.isMetadata) == true
  }

  // MARK: Tokens

  private static func token(
    _ account: ServiceAccount, query: FormFields, google: GoogleTokens
  ) -> OutgoingReply {
    let scopes = query["scopes"].nonEmpty ?? self.scopes.joined(separator: ",")
    let token = google.issueAccessToken(
      to: account.email, scope: scopes.replacing(",", with: " "))
    return ReplyWriter.json(
      .members([
        "access_token": .string(token), "expires_in": .int(OAuth.toldLifetime),
        "token_type": .string(OAuth.bearer),
      ]))
  }

  private static func identity(
    _ account: ServiceAccount, query: FormFields, google: GoogleTokens
  ) async throws -> OutgoingReply {
    guard let audience = query["audience"].nonEmpty else {
      return text("non-empty audience parameter required\n", status: 400)
    }
    return text(
      try await google.server.serviceAccounts.identityToken(
        for: audience, email: account.email, at: google.accountTime))
  }

  // MARK: The tree

  private static let scopes = [
    "https://www.googleapis.com/auth/cloud-platform",
    "https://www.googleapis.com/auth/userinfo.email",
  ]

  private static func tree(_ account: ServiceAccount) -> JSON {
    let number = String(account.uniqueId.prefix(12))
    let entry = JSON.members([
      "aliases": ["default"], "email": .string(account.email), "scopes": .strings(scopes),
    ])
    var accounts = JSONObject(["default": entry])
    accounts.append(account.email, value: entry)
    return .members([
      "instance": .members([
        "hostname": .string("hearth.c.\(account.projectId).internal"),
        "id": .int(Int64(number) ?? 1), "name": "hearth",
        "region": .string("projects/\(number)/regions/us-central1"),
        "service-accounts": .object(accounts),
        "zone": .string("projects/\(number)/zones/us-central1-1"),
      ]),
      "project": .members([
        "numeric-project-id": .int(Int64(number) ?? 1), "project-id": .string(account.projectId),
      ]),
      "universe": ["universe-domain": "googleapis.com"],
    ])
  }

  private static func find(_ names: [String], in tree: JSON) -> JSON? {
    names.reduce(tree) { $0?[$1] }
  }

  private static func show(_ value: JSON, query: FormFields) -> OutgoingReply {
    let wantsJSON = query["alt"] == "json"
    if query["recursive"]?.lowercased() == "true" {
      return query["alt"] == "text" ? text(lines(value, below: "")) : ReplyWriter.json(camel(value))
    }
    switch value {
    case .object(let members):
      let names = members.members.map { $0.value.object == nil ? $0.key : $0.key + "/" }
      return wantsJSON
        ? ReplyWriter.json(.strings(names)) : text(names.map { $0 + "\n" }.joined())
    case _ where wantsJSON: return ReplyWriter.json(value)
    case .array(let items): return text(items.compactMap(\.string).map { $0 + "\n" }.joined())
    case .string(let value): return text(value)
    default: return text(value.text)
    }
  }

  /// The names as JSON has them.
  private static func camel(_ value: JSON) -> JSON {
    guard let members = value.object?.members else { return value }
    return .object(
      JSONObject(
        members: members.map { member -> JSONObject.Member in
          (key: camel(member.key), value: camel(member.value))
        }))
  }

  private static func camel(_ name: String) -> String {
    // The name of an account stays.
    guard !name.contains("@") else { return name }
    let words = name.split(separator: "-")
    return (words.first.map(String.init) ?? "")
      + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  private static func lines(_ value: JSON, below path: String) -> String {
    guard let members = value.object?.members else {
      let text =
        value.string ?? value.array?.compactMap(\.string).joined(separator: ",") ?? value.text
      return "\(path) \(text)\n"
    }
    return members.map { lines($0.value, below: path.isEmpty ? $0.key : path + "/" + $0.key) }
      .joined()
  }

  private static func text(_ text: String, status: Int = 200) -> OutgoingReply {
    var reply = ReplyWriter.text(text, contentType: "application/text")
    reply.status = status
    return reply
  }
}

extension HTTPField.Name {
  fileprivate static let metadataFlavor = name("Metadata-Flavor")
  fileprivate static let xForwardedFor = name("X-Forwarded-For")

  private static func name(_ text: String) -> HTTPField.Name {
    guard let name = HTTPField.Name(text) else { preconditionFailure("not a header: \(text)") }
    return name
  }
}
