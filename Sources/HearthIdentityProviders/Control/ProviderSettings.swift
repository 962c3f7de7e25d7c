package import HearthErrors
package import HearthOperations
package import HearthSAML
import HearthSQLite
package import HearthTokens
package import HearthWire

/// What a test has set for an identity provider of its project.
package struct ProviderSettings: Sendable, Equatable {
  /// A mistake that the provider makes on purpose.
  package enum Fault: String, Sendable, CaseIterable {
    case none, wrongNonce, wrongAudience, wrongIssuer, wrongSignature, expired, consentRefused,
      temporarilyUnavailable
    /// Of SAML alone.
    case unsigned, tampered, wrongDestination, failed
  }

  package struct Client: Sendable, Equatable {
    package let id: String
    /// Nil for a client that cannot keep one.
    package let secret: String?
    /// Empty for any.
    package let redirectURIs: [String]
  }

  /// Where there are none, everybody is a client.
  package var clients: [Client] = []
  /// Whether people are asked what a client may know.
  package var asksConsent = false
  package var fault = Fault.none
  /// What SAML's provider signs.
  package var signing = SAMLAnswer.Signing.both
  /// By what ID tokens are signed; nil for the way of the real provider.
  package var algorithm: SigningAlgorithm?

  package init() {}

  private static let mostClients = 100

  /// Whether something is set that other protocols do not have.
  var isOfSAMLAlone: Bool {
    let faults: [Fault] = [.unsigned, .tampered, .wrongDestination, .failed]
    return faults.contains(fault) || signing != .both
  }

  /// - Throws: `INVALID_ARGUMENT` with the member that is wrong.
  package init(_ record: JSONObject) throws(APIError) {
    for (name, value) in record.members {
      switch name {
      case "clients":
        guard let entries = value.array, entries.count <= Self.mostClients else {
          throw APIError(
            .invalidArgument, detail: "/clients must be a list of at most \(Self.mostClients)")
        }
        for (index, entry) in entries.enumerated() {
          clients.append(try Self.client(entry, at: "/clients/\(index)"))
        }
      case "asksConsent":
        guard let flag = value.bool else {
          throw APIError(.invalidArgument, detail: "/asksConsent must be a boolean")
        }
        asksConsent = flag
      case "fault":
        guard let fault = value.string.flatMap(Fault.init) else {
          let names = Fault.allCases.map(\.rawValue).joined(separator: ", ")
          throw APIError(.invalidArgument, detail: "/fault must be one of \(names)")
        }
        self.fault = fault
      case "signs":
        guard let signing = value.string.flatMap(SAMLAnswer.Signing.init), signing != .nothing
        else {
          throw APIError(
            .invalidArgument, detail: "/signs must be one of both, response, assertion")
        }
        self.signing = signing
      case "algorithm":
        guard let algorithm = value.string.flatMap(SigningAlgorithm.init) else {
          throw APIError(.invalidArgument, detail: "/algorithm must be one of RS256, ES256")
        }
        self.algorithm = algorithm
      default:
        throw APIError(
          .invalidArgument,
          detail: "unknown member '\(name)'"
            + ["clients", "asksConsent", "fault", "signs", "algorithm"].advice(on: name))
      }
    }
  }

  private static func client(_ entry: JSON, at place: String) throws(APIError) -> Client {
    guard let id = entry["clientId"]?.string.nonEmpty else {
      throw APIError(.invalidArgument, detail: "\(place)/clientId must be a text")
    }
    let known = ["clientId", "clientSecret", "redirectUris"]
    if let unknown = entry.object?.keys.first(where: { !known.contains($0) }) {
      throw APIError(
        .invalidArgument,
        detail: "unknown member '\(unknown)' of \(place)\(known.advice(on: unknown))")
    }
    let (secret, uris) = (entry["clientSecret"] ?? .null, entry["redirectUris"] ?? [])
    guard secret.isNull || secret.string != nil else {
      throw APIError(.invalidArgument, detail: "\(place)/clientSecret must be a text")
    }
    guard let uris = uris.array, uris.allSatisfy({ $0.string != nil }) else {
      throw APIError(.invalidArgument, detail: "\(place)/redirectUris must be a list of strings")
    }
    return Client(
      id: id, secret: secret.string.nonEmpty, redirectURIs: uris.compactMap(\.string))
  }

  package var record: JSONObject {
    JSONObject([
      "clients": .array(
        clients.map {
          .members([
            "clientId": .string($0.id), "clientSecret": $0.secret.json,
            "redirectUris": .strings($0.redirectURIs),
          ])
        }), "asksConsent": .bool(asksConsent), "fault": .string(fault.rawValue),
      "signs": signing == .both ? nil : .string(signing.rawValue),
      "algorithm": (algorithm?.rawValue).json,
    ])
  }

  /// What is wrong with a client and the address to which it wants its answer; nil for nothing.
  func refusal(of client: String, redirectURI: String) -> String? {
    guard !clients.isEmpty else { return nil }
    guard let known = clients.first(where: { $0.id == client }) else {
      return "Unknown client_id."
    }
    guard known.redirectURIs.isEmpty || known.redirectURIs.contains(redirectURI) else {
      return "The redirect_uri is not one of the client's."
    }
    return nil
  }

  /// The one address of a client that has one.
  func onlyRedirectURI(of client: String) -> String? {
    let known = clients.first { $0.id == client }?.redirectURIs ?? []
    return known.count == 1 ? known.first : nil
  }
}

/// The settings of the providers of a project.
package struct ProviderSettingsStore: ProjectSubject {
  package let project: ProjectTransaction

  package init(in project: ProjectTransaction) { self.project = project }

  package func settings(of provider: String) throws(APIError) -> ProviderSettings {
    let record = try transaction.first(
      "SELECT record FROM provider_settings WHERE project = ? AND provider = ?",
      arguments: [projectId, provider]
    ) { $0[0] as String }
    guard let record, let object = (try? JSON.parse(record))?.object else {
      return ProviderSettings()
    }
    return try ProviderSettings(object)
  }

  /// The keys with which a provider signs for the project.
  package func keys(of provider: String) throws(APIError) -> KeySet {
    let algorithm = try settings(of: provider).algorithm
    return server.providerKeys.keys(
      of: provider, algorithm: algorithm ?? Personality.named(provider)?.algorithm ?? .rs256)
  }

  package func save(
    _ settings: ProviderSettings, of provider: String
  ) throws(APIError) {
    try transaction.execute(
      "INSERT OR REPLACE INTO provider_settings (project, provider, record) VALUES (?, ?, ?)",
      arguments: [projectId, provider, JSON.object(settings.record).text])
  }
}
