package import HearthWire

/// One row of the route table: everything that the dispatcher has to know of an operation. A class,
/// so that handing it on with each request costs next to nothing.
package final class Route: RouteRow {
  package enum Credential: String, Sendable {
    /// An administrator's bearer token or an API key.
    case bearerOrKey
    /// An administrator's bearer token.
    case bearer
    /// An API key; a bearer token is not even looked at.
    case keyOnly
    /// Nothing is asked for, as the official emulator exposes it.
    case open
    /// Hearth's own control endpoints: no credential, but only for loopback origins and hosts.
    case control
  }

  package enum Body: Sendable, Equatable {
    case none
    /// A JSON object, checked as the named message of the API description.
    case json(message: String?)
    /// A JSON object that the operation checks by itself: names stay as they are.
    case verbatim
    /// The same as `json`, or `application/x-www-form-urlencoded`.
    case jsonOrForm(message: String)
    /// A form that a page of ours sends.
    case form
    /// A file of any type, which the operation reads.
    case file
    /// A form or JSON with credentials, which the operation reads and the request log does not keep.
    case credentials
  }

  package struct QueryParameter: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
      case string, integer, boolean
      case enumeration([String])
    }

    package let name: String
    package let kind: Kind

    package init(_ name: String, kind: Kind = .string) {
      self.name = name
      self.kind = kind
    }
  }

  /// When a request may hold its place at the port for long.
  package enum Waiting: Sendable {
    case never, always
    /// Where its query has the parameter `wait`.
    case whereAsked
  }

  /// Which bound the body has.
  package enum BodyBound: Sendable {
    case ordinary
    /// Accounts are imported many at once.
    case accounts
    /// That of Firestore in production, for projects that have production's limits.
    case documents
  }

  /// Where a call names its project.
  package enum ProjectPlace: Sendable {
    case path
    /// In the path, and once more in the name of a database.
    case pathAndDatabase
    /// In the member `targetProjectId` of the body.
    case body
    /// In the parameter `project`, or nowhere: then it is the server's own project.
    case query
  }

  /// Who may call an operation of ours on a shared server (`--require-token`).
  package enum Audience: Sendable {
    /// Those who have the project's token.
    case project
    /// The same, for a page: a person without the token gets the form that asks for it.
    case projectPage
    /// Those who have the server's token: it concerns all projects, or files of the machine.
    case `operator`
    /// It has no data of a project.
    case everybody
  }

  package enum Action: Sendable {
    case operation(any Operation.Type)
    /// A document about the API, which the server writes.
    case served(PublishedDocument)
    /// Answered by the server itself, without a transaction; the server knows how.
    case server
    /// Declared, and answered with 501 until it is built.
    case unimplemented
  }

  /// The API of Google's that a route belongs to. It decides how errors are written.
  package enum API: Sendable {
    case identityToolkitV1, identityToolkitV2, secureToken, appCheck
    /// Cloud Messaging, and the older API of its topics.
    case messaging, instanceID
    case installations, oauth, metadata
    /// Firestore, and all that only an emulator has.
    case other

    /// That of the host with which a template begins.
    fileprivate init(_ template: PathTemplate) {
      self = .other
      guard template.segments.count > 2, case .literal(let host) = template.segments[1] else {
        return
      }
      let place = if case .literal(let text) = template.segments[2] { text } else { "" }
      switch host {
      case "identitytoolkit.googleapis.com":
        self = place == "v1" ? .identityToolkitV1 : place == "v2" ? .identityToolkitV2 : .other
      case "www.googleapis.com":
        self = place == "identitytoolkit" ? .identityToolkitV1 : place == "oauth2" ? .oauth : .other
      case "securetoken.googleapis.com": self = .secureToken
      case "firebaseappcheck.googleapis.com", "content-firebaseappcheck.googleapis.com":
        self = .appCheck
      case "fcm.googleapis.com", "fcmregistrations.googleapis.com": self = .messaging
      case "iid.googleapis.com": self = .instanceID
      case "firebaseinstallations.googleapis.com": self = .installations
      case "oauth2.googleapis.com", "sts.googleapis.com": self = .oauth
      case "metadata.google.internal": self = .metadata
      default: break
      }
    }

    /// Whether a project may be named by its number.
    package var takesProjectNumbers: Bool {
      switch self {
      case .appCheck, .messaging, .installations: true
      case .identityToolkitV1, .identityToolkitV2, .secureToken, .instanceID, .oauth, .metadata,
        .other:
        false
      }
    }

    package var isOfIdentityToolkit: Bool {
      switch self {
      case .identityToolkitV1, .identityToolkitV2, .secureToken: true
      case .appCheck, .messaging, .instanceID, .installations, .oauth, .metadata, .other: false
      }
    }
  }

  package let method: String
  package let template: PathTemplate
  package let api: API
  /// The operation id of the API description.
  package let id: String
  package let credential: Credential
  package let body: Body
  package let query: [QueryParameter]
  package let waiting: Waiting
  package let bodyBound: BodyBound
  package let project: ProjectPlace
  package let audience: Audience
  /// Whether it steers the server, so that a shared one asks every caller for a token.
  package let isControl: Bool
  package let action: Action
  /// An old name that SDKs still call; its query string is not handed on.
  package let isLegacyAlias: Bool
  /// How the operation differs from the official emulator's, for the guide. An operation with
  /// several rows has it at the first one.
  package let differs: [String]
  /// The switches that change what the operation does, at its first row too.
  package let switches: [any Switches.Toggle]

  package init(
    _ method: String, template: String, id: String, credential: Credential,
    body: Body = .none, bodyBound: BodyBound = .ordinary, query: [QueryParameter] = [],
    alwaysWaits: Bool = false, isLegacyAlias: Bool = false, api: API? = nil,
    project: ProjectPlace = .path, audience: Audience = .project,
    action: Action, differs: [String] = [], switches: [any Switches.Toggle] = []
  ) {
    self.method = method
    self.template = PathTemplate(template)
    self.api = api ?? API(self.template)
    self.id = id
    self.credential = credential
    self.body = body
    self.bodyBound = bodyBound
    self.query = query
    waiting =
      alwaysWaits ? .always : query.contains { $0.name == Self.wait } ? .whereAsked : .never
    self.project = project
    self.audience = audience
    isControl =
      audience == .operator
      || (audience != .everybody
        && (credential == .control || template.hasPrefix("/emulator/v1/")))
    self.action = action
    self.isLegacyAlias = isLegacyAlias
    self.differs = differs
    self.switches = switches
  }

  /// The query parameter that asks to wait.
  package static let wait = "wait"

  /// A row that takes a bearer token or an API key, as most do.
  package convenience init(
    _ method: String, template: String, id: String, body: Body = .none,
    bodyBound: BodyBound = .ordinary, query: [QueryParameter] = [], isLegacyAlias: Bool = false,
    project: ProjectPlace = .path, action: Action,
    differs: [String] = [], switches: [any Switches.Toggle] = []
  ) {
    self.init(
      method, template: template, id: id, credential: .bearerOrKey, body: body,
      bodyBound: bodyBound, query: query, isLegacyAlias: isLegacyAlias, project: project,
      action: action, differs: differs, switches: switches)
  }

  package var isImplemented: Bool {
    switch action {
    case .operation, .served, .server: true
    case .unimplemented: false
    }
  }
}

/// A document about the API that clients fetch at an address of the API.
package enum PublishedDocument: Sendable {
  case openAPI
  /// The keys that verify our tokens, as X.509 certificates by key id.
  case certificates
  /// The same keys in the form of `sessionCookiePublicKeys`.
  case sessionCookieKeys
}
