package import HearthErrors
package import HearthOperations
import HearthSQLite
package import HearthWire

/// What a test has set for an identity provider of its project.
package struct ProviderSettings: Sendable, Equatable {
  /// A mistake that the provider makes on purpose.
  package enum Fault: String, Sendable, CaseIterable {
    case none, wrongNonce, wrongAudience, wrongIssuer, wrongSignature, expired, consentRefused,
      temporarilyUnavailable
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

  package init() {}

  private static let mostClients = 100

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
      default:
        throw APIError(
          .invalidArgument,
          detail: "unknown member '\(name)'" + ["clients", "asksConsent", "fault"].advice(on: name))
      }
    }
  }

  private static func client(_ entry: JSON, at place: String) throws(APIError) -> Client {
    guard let id = entry["clientId"]?.string.nonEmpty else {
      throw APIError(.invalidArgument, detail: "\(place)/clientId must be a text")
    }
    let uris = entry["redirectUris"]?.array
    guard uris?.allSatisfy({ $0.string != nil }) ?? true else {
      throw APIError(.invalidArgument, detail: "\(place)/redirectUris must be a list of strings")
    }
    return Client(
      id: id, secret: entry["clientSecret"]?.string.nonEmpty,
      redirectURIs: uris?.compactMap(\.string) ?? [])
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
    ])
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

  package func save(
    _ settings: ProviderSettings, of provider: String
  ) throws(APIError) {
    try transaction.execute(
      "INSERT OR REPLACE INTO provider_settings (project, provider, record) VALUES (?, ?, ?)",
      arguments: [projectId, provider, JSON.object(settings.record).text])
  }
}
