import HearthErrors
import HearthOperations
import HearthTokens
import HearthWire

/// A request to an identity provider, with all that its endpoints ask of it.
struct ProviderCall {
  let personality: Personality
  /// The tenant in the path, of Microsoft's.
  let tenant: String?
  let addresses: ProviderAddresses
  /// The addresses at the host that was called, where the provider has several.
  let asked: ProviderAddresses
  let settings: ProviderSettings
  let project: ProjectTransaction
  let context: Context
  private let wire: WireRequest

  static let uncached: [(name: String, value: String)] = [
    ("Cache-Control", "no-store"), ("Pragma", "no-cache"),
  ]

  init(
    _ wire: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) {
    guard let name = wire.path["provider"], let personality = Personality.named(name) else {
      let names = Personality.all.map(\.name).joined(separator: ", ")
      throw APIError(.notFound, detail: "no such identity provider; there are \(names)")
    }
    self.personality = personality
    self.project = project
    asked = ProviderAddresses(
      personality, base: context.baseURL, project: wire.path["targetProjectId"].nonEmpty,
      tenant: wire.path["tenant"].nonEmpty)
    let context = Self.context(context, of: personality, in: project)
    self.context = context
    self.wire = wire
    tenant = wire.path["tenant"].nonEmpty
    addresses = ProviderAddresses(
      personality, base: context.baseURL, project: wire.path["targetProjectId"].nonEmpty,
      tenant: tenant)
    settings = try ProviderSettingsStore(in: project).settings(of: name)
  }

  /// As Google, a provider has its own host name, also for what is asked of it elsewhere.
  private static func context(
    _ context: Context, of personality: Personality, in project: ProjectTransaction
  ) -> Context {
    guard project.server.google != nil, context.baseURL.hasPrefix("https://"),
      let host = ProviderHosts.rows.first(where: { $0.provider == personality.name })?.host
    else { return context }
    return context.at("https://" + host)
  }

  /// A field of the form, or of the query. A field that is sent twice counts as missing, as in RFC 6749.
  subscript(field: String) -> String? {
    (wire.string(field) ?? wire.query[field]).nonEmpty
  }

  /// All that a browser brought, to be brought again.
  var fields: [FormFields.Pair] {
    let form = wire.body.members.compactMap { member in
      member.value.string.map { FormFields.Pair(name: member.key, value: $0) }
    }
    return form.isEmpty ? wire.query.uniquePairs : form
  }

  /// All parameters, also those that are there twice, of the query and then of the form.
  var pairs: [FormFields.Pair] {
    wire.query.pairs
      + wire.body.members.flatMap { member in
        (member.value.array ?? [member.value]).compactMap(\.string).map {
          FormFields.Pair(name: member.key, value: $0)
        }
      }
  }

  /// Whether a field was sent twice.
  func isRepeated(_ field: String) -> Bool {
    wire.body[field]?.array != nil || wire.query.values(of: field).count > 1
  }

  var grants: Grants { Grants(in: project) }
  var personas: Personas { Personas(in: project) }
  /// What its ID tokens are signed by in this project.
  var algorithm: SigningAlgorithm { settings.algorithm ?? personality.algorithm }
  var keys: KeySet {
    project.server.providerKeys.keys(of: personality.name, algorithm: algorithm)
  }

  /// The token of the header, or of the form.
  var bearer: String? {
    if let header = context.authorization {
      for scheme in ["Bearer ", "bearer ", "token "] where header.hasPrefix(scheme) {
        let token = String(header.dropFirst(scheme.count))
        return token.isEmpty ? nil : token
      }
      return nil
    }
    return self["access_token"]
  }

  /// GitHub's answers are forms unless JSON is asked for.
  func githubAnswer(_ members: JSONObject) -> Outcome {
    guard context.accept?.contains("json") != true else {
      return .answer(Answer(status: 200, body: .json(members), headers: Self.uncached))
    }
    let form = FormFields(
      members.members.map {
        FormFields.Pair(name: $0.key, value: $0.value.string ?? $0.value.text)
      })
    return .answer(
      Answer(
        status: 200,
        body: .text(form.text, contentType: "application/x-www-form-urlencoded; charset=utf-8"),
        headers: Self.uncached))
  }

  /// A refusal of GitHub's API, which is not that of its token endpoint.
  func githubRefusal(_ status: Int, message: String) -> Outcome {
    .answer(
      Answer(
        status: status,
        body: .json(
          JSONObject([
            "message": .string(message), "documentation_url": "https://docs.github.com/rest",
            "status": .string(String(status)),
          ])), headers: Self.uncached))
  }

  func answer(_ members: JSONObject) -> Outcome {
    if case .github = personality.wording { return githubAnswer(members) }
    return .answer(Answer(status: 200, body: .json(members), headers: Self.uncached))
  }
}

/// An endpoint of an identity provider.
protocol ProviderOperation: Operation where Request == WireRequest {
  /// Whether it signs or publishes keys, which have to be made first.
  static var needsKeys: Bool { get }
  /// Whether it is one of SAML's. Those of OAuth are not played for it.
  static var speaksSAML: Bool { get }

  /// - Throws: ``OAuthProblem``, or the error of the store.
  static func answer(_ call: ProviderCall) throws -> Outcome
}

extension ProviderOperation {
  static var needsKeys: Bool { false }
  static var speaksSAML: Bool { false }

  static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let call = try ProviderCall(request, in: project, context: context)
    guard speaksSAML == call.personality.speaksSAML else {
      throw APIError(.notFound, detail: "\(call.personality.title) has no such endpoint")
    }
    if needsKeys, call.keys.currentIfReady() == nil {
      let keys = call.keys
      return .away { () async throws(APIError) -> Outcome.Resumption in
        do { _ = try await keys.current() } catch {
          throw APIError(.internalError, detail: "\(error)")
        }
        return { (project, context) throws(APIError) in
          try run(request, in: project, context: context)
        }
      }
    }
    do {
      return try answer(call)
    } catch let problem as OAuthProblem {
      return problem.outcome(call)
    } catch let error as APIError {
      throw error
    } catch {
      throw APIError(.internalError, detail: "\(error)")
    }
  }
}
