import HearthCrypto
import HearthTime
package import HearthWire

/// A password-reset back end as data: what it is asked, what it answers, and by which rules.
///
/// The dialect guide in `Hearth.docc` tells how to write one. A definition that exists is complete and consistent.
package struct DialectDefinition: Sendable {
  /// Lower-case letters, digits and hyphens; part of operation ids and of the keys of its rows.
  package let name: String
  /// `{app}` in templates.
  package let title: String
  package let place: ServingPlace
  /// The project and tenant whose accounts these are; nil for the emulator's own project and for
  /// the accounts outside tenants.
  package let project: String?
  package let tenant: String?
  let languages: LanguageRule
  let clients: [ClientRule]
  let token: TokenRule?
  let limits: RequestLimits
  let password: PasswordRule
  /// What the passwords look like that the back end chooses.
  let newPassword: SecretFormat?
  let sessions: SessionRule
  let messages: [String: MessageTemplate]
  /// The replies that all endpoints share, the one to unknown paths among them.
  let replies: [Outcome: Reply]
  package let endpoints: [Endpoint]

  private static let members = [
    "name", "title", "about", "serve", "project", "tenant", "languages", "clients", "token",
    "limits", "password", "newPassword", "sessions", "messages", "shapes", "replies", "endpoints",
  ]

  package init(parsing bytes: some Collection<UInt8>) throws(DefinitionFault) {
    let json: JSON
    do throws(JSON.ParseError) {
      json = try JSON.parse(bytes)
    } catch {
      throw DefinitionFault(pointer: "", sentence: "is not JSON: \(error)")
    }
    try self.init(json)
  }

  package init(_ json: JSON) throws(DefinitionFault) {
    let object = try DefinitionValue(json: json, pointer: "").object(Self.members)
    name = try Self.name(object.required("name"))
    title = try object.required("title").string()
    _ = try object["about"]?.string()
    place = try ServingPlace(object.required("serve"))
    project = try object["project"]?.string()
    tenant = try object["tenant"]?.string()
    let languages = try object.optional("languages", read: LanguageRule.init) ?? .english
    self.languages = languages
    clients = try object.optional("clients", read: ClientRule.all) ?? []
    token = try object.optional("token", read: TokenRule.init)
    limits = try object.optional("limits", read: RequestLimits.init) ?? .none
    password =
      try object.optional("password") { value throws(DefinitionFault) in
        try PasswordRule(value, languages: languages)
      } ?? .anything
    newPassword = try object.optional("newPassword") { value throws(DefinitionFault) in
      try SecretFormat(value.object(SecretFormat.members.filter { $0 != "ignoresCase" }))
    }
    sessions = try object.optional("sessions", read: SessionRule.init) ?? .bearer
    messages = try Self.messages(object["messages"], languages: languages, clients: clients)
    let shapes = try object.optional("shapes", read: Reply.Shapes.init) ?? .none
    let replies = try Self.replies(object["replies"], shapes: shapes, languages: languages)
    self.replies = replies
    guard replies[.notFound] != nil else {
      throw object.missing(
        "replies/notFound", reason: "is missing; it is the reply to unknown paths")
    }
    let surroundings = Endpoint.Surroundings(
      clients: clients, shapes: shapes, languages: languages, replies: replies,
      messages: messages, limits: limits)
    endpoints = try Self.endpoints(object.required("endpoints"), surroundings: surroundings)
    try checkRules(object)
  }
}

extension DialectDefinition {
  private static func name(_ value: DefinitionValue) throws(DefinitionFault) -> String {
    let name = try value.string()
    guard name.utf8.count <= 40,
      name.utf8.allSatisfy({ $0.isASCIILowercase || $0.isASCIIDigit || $0 == UInt8(ascii: "-") })
    else { throw value.fault("must be at most 40 lower-case letters, digits and hyphens") }
    return name
  }

  private static func messages(
    _ value: DefinitionValue?, languages: LanguageRule, clients: [ClientRule]
  ) throws(DefinitionFault) -> [String: MessageTemplate] {
    var messages: [String: MessageTemplate] = [:]
    for member in try value?.anyObject().members ?? [] {
      messages[member.name] = try MessageTemplate(
        member.value, languages: languages, clients: clients)
    }
    return messages
  }

  private static func replies(
    _ value: DefinitionValue?, shapes: Reply.Shapes, languages: LanguageRule
  ) throws(DefinitionFault) -> [Outcome: Reply] {
    var replies: [Outcome: Reply] = [:]
    let object = try value?.object(Outcome.allCases.map(\.rawValue))
    for member in object?.members ?? [] {
      guard let outcome = Outcome(rawValue: member.name) else { continue }
      replies[outcome] = try Reply(member.value, to: outcome, shapes: shapes, languages: languages)
    }
    return replies
  }

  private static func endpoints(
    _ value: DefinitionValue, surroundings: Endpoint.Surroundings
  ) throws(DefinitionFault) -> [Endpoint] {
    var endpoints: [Endpoint] = []
    for element in try value.elements() {
      let endpoint = try Endpoint(element, surroundings: surroundings)
      guard !endpoints.contains(where: endpoint.collides) else {
        throw element.fault("has the method and path of an earlier endpoint for the same clients")
      }
      endpoints.append(endpoint)
    }
    return endpoints
  }

  /// Rules that an endpoint cannot do without.
  private func checkRules(_ object: DefinitionObject) throws(DefinitionFault) {
    for endpoint in endpoints {
      let what = endpoint.procedure.rawValue
      switch endpoint.procedure {
      case .requestReset, .verifyToken, .confirmReset:
        guard token != nil else {
          throw object.missing("token", reason: "is missing; an endpoint does \"\(what)\"")
        }
      case .replacePassword: try checkNewPassword(object)
      case .refreshSession:
        guard sessions.refreshLifetime != nil else {
          throw object.missing(
            "sessions/refreshLifetime", reason: "is missing; an endpoint does \"\(what)\"")
        }
      case .logIn, .logOut, .profile: break
      }
    }
  }

  private func checkNewPassword(_ object: DefinitionObject) throws(DefinitionFault) {
    guard let newPassword else {
      throw object.missing(
        "newPassword", reason: "is missing; an endpoint does \"replacePassword\"")
    }
    // Drawn often enough that a rule which holds at all is met.
    guard password.password(newPassword, random: Randomness(), now: Timestamp(seconds: 0)) != nil
    else {
      throw object.missing(
        "newPassword", reason: "makes passwords that break the rule of \"password\"")
    }
  }
}
