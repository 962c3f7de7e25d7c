import HTTPTypes
import HearthErrors
import HearthEvents
import HearthObservation
import HearthOperations
import HearthSQLite
import HearthTokens
import HearthTransport
import HearthWire

/// Makes calls of the log again in another project, one after the other, and tells which answers differ:
/// `{"requests": [4, 5], "in": "demo-y"}`. That project is one that was made of a snapshot.
enum CompareRequests: ServerOperation {
  private static let most = 100

  static func run(
    _ request: ServerRequest, with parts: CompareParts
  ) async throws -> OutgoingReply {
    try request.checkMembers("requests", "in")
    guard request.visitor == nil else {
      throw APIError(.forbiddenHost, detail: "a shared server keeps no tokens to replay with")
    }
    guard let other = request.wire.string("in"), ProjectID.isUsable(other),
      other != request.project
    else {
      throw APIError(.invalidArgument, detail: "/in must be the id of another project")
    }
    guard let ids = request.wire.array("requests")?.compactMap(\.integer), !ids.isEmpty,
      ids.count <= most
    else {
      throw APIError(.invalidArgument, detail: "/requests must be up to \(most) numbers")
    }
    var transfer = CallTransfer(
      from: request.project, to: other, key: try await parts.keys.current())
    var results: [JSON] = []
    let first = try parts.newestMessage()
    for id in ids {
      guard let entry = parts.log.entry(id, of: request.project), entry.canReplay,
        !entry.call.isDelivery
      else {
        throw APIError(.failedPrecondition, detail: "request \(id) cannot be made again")
      }
      transfer.learn(
        try parts.codes(in: entry.call, of: request.project, since: first, of: other))
      let reply = await request.respond(transfer.call(entry, like: request.call))
      let made = parts.log.entries(of: other).last { $0.call.replayOf == id }
      let answer = reply.stream == nil ? try? JSON.parse(reply.body) : nil
      let differences = transfer.differences(entry, answer: answer)
      results.append(
        .members([
          "request": .int(id), "replay": made.map { .int($0.id) },
          "before": .int(Int64(entry.call.status)), "after": .int(Int64(reply.status)),
          "isSame": .bool(entry.call.status == reply.status && differences.isEmpty),
          "differences": .array(differences.prefix(20).map(\.json)),
        ]))
    }
    return ReplyWriter.json(.members(["results": .array(results)]))
  }
}

/// What the comparison works with.
struct CompareParts: ServerParts {
  let log: RequestLog
  let keys: KeySet
  let store: Store
  let server: ServerFacts

  static func parts(of server: ServerContext) -> CompareParts {
    CompareParts(
      log: server.observation.recorder.requests, keys: server.keys, store: server.store,
      server: server.server)
  }
}

/// Calls of one project as another one takes them: with its name, with its tokens, and with what it has
/// answered in place of what the first one had.
struct CallTransfer {
  /// A member of an answer that is not as it was.
  struct Difference {
    let path: String
    let before: JSON?
    let after: JSON?

    var json: JSON { .members(["path": .string(path), "before": before, "after": after]) }
  }

  /// What each project gives out: that of one is taken for that of the other.
  private static let givenOut: Set<String> = [
    "access_token", "id_token", "idToken", "localId", "mfaEnrollmentId", "mfaPendingCredential",
    "name", "oobCode", "refresh_token", "refreshToken", "sessionInfo", "temporaryProof", "user_id",
  ]
  /// Of the moment of the answer.
  private static let momentary: Set<String> = [
    "commitTime", "createTime", "createdAt", "enrolledAt", "executionTime", "expiresIn",
    "expires_in", "lastLoginAt", "lastRefreshAt", "passwordUpdatedAt", "readTime", "updateTime",
    "validSince", "version",
  ]

  private let project: String
  private let other: String
  private let key: SigningKey
  /// More are not remembered: each call is searched for all of them.
  private static let most = 200

  /// Texts of the first project, and what the other one has for them, the newest last.
  private var known: [(text: String, other: String)] = []

  init(from project: String, to other: String, key: SigningKey) {
    (self.project, self.other, self.key) = (project, other, key)
  }

  // MARK: Calls

  /// The call as the other project takes it.
  func call(_ entry: RequestLog.Entry, like asked: IncomingCall) -> IncomingCall {
    let old = entry.call
    var headers = old.headers
    // The body is kept as it was read.
    for name in [HTTPField.Name.contentEncoding, .contentLength, .transferEncoding] {
      headers[name] = nil
    }
    let mayRenew = old.status < 400 || old.caller?.isUser == true
    headers[.authorization] = headers[.authorization].map { text in
      let token = text.hasPrefix("Bearer ") ? String(text.dropFirst(7)) : ""
      return token.contains(".") ? "Bearer " + renewed(token, where: mayRenew) : text
    }
    var query = FormFields(parsing: old.query)
    query.pairs = query.pairs.map { pair in
      FormFields.Pair(name: pair.name, value: pair.name == "key" ? other : moved(pair.value))
    }
    let target = moved(String(old.path)) + (old.query.isEmpty ? "" : "?\(query.text)")
    var call = IncomingCall(
      method: old.method, target: target, headers: headers, host: asked.host,
      body: body(of: old, mayRenew: mayRenew), remoteAddress: asked.remoteAddress,
      servedPort: asked.servedPort)
    call.replayOf = entry.id
    return call
  }

  private func body(of call: AnsweredCall, mayRenew: Bool) -> [UInt8] {
    guard !call.body.isEmpty else { return [] }
    var text = moved(String(decoding: call.body, as: UTF8.self))
    if let token = (try? JSON.parse(Array(text.utf8)))?["idToken"]?.string {
      text = text.replacing(token, with: renewed(token, where: mayRenew))
    }
    return Array(text.utf8)
  }

  /// A text with the other project's name, and with what that has given out.
  private func moved(_ text: String) -> String {
    let named = text.replacing("projects/\(project)/", with: "projects/\(other)/")
    return known.reduce(named) { $0.replacing($1.text, with: $1.other) }
  }

  /// A token that the first project took, as one that the other one takes.
  private func renewed(_ token: String, where mayRenew: Bool) -> String {
    if let known = known.first(where: { $0.text == token }) { return known.other }
    guard mayRenew, let jwt = JWT(token), jwt.claims["aud"]?.string == project else { return token }
    var claims = jwt.claims
    claims["aud"] = .string(other)
    claims["iss"] = claims["iss"]?.string.map { .string($0.replacing(project, with: other)) }
    if jwt.algorithm == "none" { return JWT.unsigned(claims) }
    return (try? JWT.signed(claims, by: key)) ?? token
  }

  // MARK: Answers

  /// What differs, and no secret. What the other project has given out is known from then on.
  mutating func differences(_ entry: RequestLog.Entry, answer: JSON?) -> [Difference] {
    guard let before = try? JSON.parse(entry.call.response), let answer else { return [] }
    learn(before, answer, name: "")
    let text = moved(Redaction.json(before).text)
    guard let shown = try? JSON.parse(Array(text.utf8)) else { return [] }
    var found: [Difference] = []
    Self.compare(shown, Redaction.json(answer), at: "", into: &found)
    return found
  }

  mutating func learn(_ texts: [(text: String, other: String)]) {
    for text in texts {
      if known.count == Self.most { known.removeFirst() }
      known.append(text)
    }
  }

  private mutating func learn(_ before: JSON?, _ after: JSON?, name: String) {
    switch (before, after) {
    case (.object(let one), .object(let two)):
      for (name, value) in one.members { learn(value, two[name], name: name) }
    case (.array(let one), .array(let two)):
      for (value, now) in zip(one, two) { learn(value, now, name: name) }
    case (.string(let one), .string(let two)):
      guard one != two, Self.givenOut.contains(name) else { return }
      // Of the name of a document, what the server has made up.
      let (old, new) = name == "name" ? (Self.last(one), Self.last(two)) : (one, two)
      guard old != new, old.utf8.count >= 8 else { return }
      learn([(old, new)])
    default: break
    }
  }

  private static func last(_ name: String) -> String {
    name.split(separator: "/").last.map(String.init) ?? name
  }

  private static func compare(
    _ before: JSON?, _ after: JSON?, at path: String, into found: inout [Difference]
  ) {
    switch (before, after) {
    case (.object(let one), .object(let two)):
      let names = one.members.map(\.key) + two.members.map(\.key).filter { one[$0] == nil }
      for name in names {
        if momentary.contains(name), one[name]?.object == nil, two[name]?.object == nil { continue }
        compare(one[name], two[name], at: path.isEmpty ? name : "\(path).\(name)", into: &found)
      }
    case (.array(let one), .array(let two)) where one.count == two.count:
      for (index, pair) in zip(one, two).enumerated() {
        compare(pair.0, pair.1, at: "\(path)[\(index)]", into: &found)
      }
    default:
      if before != after { found.append(Difference(path: path, before: before, after: after)) }
    }
  }
}

extension AnsweredCall.Caller {
  fileprivate var isUser: Bool { if case .user = self { true } else { false } }
}
