import HearthWire

/// The project that a tool works on, and the requests that tools make.
struct HearthProject: Sendable {
  let id: String
  let caller: any HearthCaller

  /// What to do about a refusal, by a part of its text.
  typealias Advice = KeyValuePairs<String, String>

  /// A control endpoint, by its path below the project's.
  func control(
    _ method: String, path: String, body: JSON? = nil, advice: Advice = [:]
  ) async throws(ToolFailure) -> JSON {
    try await ask(
      HearthCall(method, path: "/emulator/v1/projects/\(segment)\(path)", body: body),
      advice: advice)
  }

  /// A call of Identity Toolkit as an administrator.
  func administer(
    _ path: String, body: JSON, advice: Advice = [:]
  ) async throws(ToolFailure) -> JSON {
    let path = "/identitytoolkit.googleapis.com/v1/projects/\(segment)/\(path)"
    return try await ask(
      HearthCall("POST", path: path, body: body, bearer: HearthCall.owner), advice: advice)
  }

  /// A call of Identity Toolkit as an app. The API key names a demo project; other projects are
  /// named by an administrator.
  func asApp(
    _ verb: String, body: JSONObject, advice: Advice = [:]
  ) async throws(ToolFailure) -> JSON {
    let path = "/identitytoolkit.googleapis.com/v1/accounts:\(verb)"
    if id.hasPrefix("demo-") {
      return try await ask(
        HearthCall("POST", path: "\(path)?key=\(segment)", body: .object(body)), advice: advice)
    }
    var body = body
    body["targetProjectId"] = .string(id)
    return try await ask(
      HearthCall("POST", path: path, body: .object(body), bearer: HearthCall.owner), advice: advice)
  }

  /// A call of Firestore. Rules apply, except for an administrator.
  func firestore(
    _ method: String, database: String, rest: String, body: JSON? = nil,
    as user: FirestoreUser, advice: Advice = [:]
  ) async throws(ToolFailure) -> JSON {
    let database = PercentCoding.encodeComponent(database)
    let path = "/v1/projects/\(segment)/databases/\(database)/documents\(rest)"
    let bearer = try await token(of: user)
    return try await ask(HearthCall(method, path: path, body: body, bearer: bearer), advice: advice)
  }

  func ask(_ call: HearthCall, advice: Advice = [:]) async throws(ToolFailure) -> JSON {
    let reply = try await caller.send(call)
    guard (200..<300).contains(reply.status) else {
      let refusal = reply.refusal
      let next =
        reply.status == 401 && call.bearer == HearthCall.owner
        ? Self.asGoogle
        : advice.first { refusal.contains($0.key) }?.value
          ?? Self.usual(for: refusal, reply.status)
      throw ToolFailure(refusal, next: next)
    }
    return reply.json
  }

  // MARK: Parts

  private static let asGoogle = """
    The server runs as Google, where administrators prove who they are. Start hearth mcp with \
    --service-account FILE, the key file of that server, or with --address and the server's console.
    """

  /// What helps with any tool. Nil where the arguments are wrong: the tool has an example.
  private static func usual(for refusal: String, _ status: Int) -> String? {
    if let known = known.first(where: { refusal.contains($0.key) }) { return known.value }
    switch status {
    case 429: return "A limit or a fault acts: see the faults with add_fault, or advance_clock."
    case 500...: return "See with add_fault whether a fault acts here; otherwise call again."
    default: return nil
    }
  }

  private static let known: Advice = [
    "a project id": "Choose a \"project\" such as demo-test-1.",
    "INVALID_EMAIL": "Write the address as ann@example.com.",
    "PERMISSION_DENIED": "Call explain_denial.",
    "USER_DISABLED": "The account is disabled; use another user.",
    "USER_NOT_FOUND": "Create the user with create_user.",
  ]

  private var segment: String { PercentCoding.encodeComponent(id) }

  private func token(of user: FirestoreUser) async throws(ToolFailure) -> String? {
    switch user {
    case .administrator: return HearthCall.owner
    case .nobody: return nil
    case .user(let uid):
      let tokens = try await control(
        "POST", path: "/accounts:actAs", body: ["localId": .string(uid)],
        advice: ["": "Create the user with create_user, or leave `as` out to bypass rules."])
      return tokens["idToken"]?.string
    }
  }
}

/// Who makes a call of Firestore.
enum FirestoreUser: Sendable, Equatable {
  /// Rules do not apply.
  case administrator
  case nobody
  case user(String)

  init(_ text: String?) {
    switch text {
    case nil: self = .administrator
    case "nobody": self = .nobody
    case let uid?: self = .user(uid)
    }
  }
}
