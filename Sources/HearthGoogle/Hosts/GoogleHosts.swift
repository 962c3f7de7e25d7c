import HearthIdentityProviders
import HearthMailIn

/// The hosts of other servers that Hearth answers for when it runs as Google, and what answers there.
///
/// Routing, the names in certificates, the hosts file, the proxy and `hearth doctor` use this table.
package struct GoogleHosts: Sendable {
  /// What answers for a host.
  package enum Part: String, Sendable {
    /// The rows of the route table that begin with the host.
    case routes
    /// Firestore: gRPC, REST and WebChannel.
    case firestore
    /// The pages below `/__/`.
    case authDomain
    /// The send APIs of mail providers.
    case mailAPI
    /// An identity provider that people sign in with.
    case identityProvider
    /// Nothing: 501, so that nobody takes it for an answer of the service.
    case notPlayed
  }

  package struct Row: Sendable {
    package let host: String
    package let part: Part
  }

  /// In the order of the table.
  package let rows: [Row]
  private let parts: [String: Part]

  /// The project's own domains are known from its id; others are given.
  package init(project: String, authDomains: [String] = []) {
    let domains = authDomains.map { $0.lowercased() } + Self.authDomains(of: project)
    let all =
      Self.rows(Self.routes, part: .routes)
      + Self.rows(["firestore.googleapis.com"], part: .firestore)
      + Self.rows(domains, part: .authDomain) + Self.rows(SendAPIHosts.all, part: .mailAPI)
      + Self.rows(ProviderHosts.hosts, part: .identityProvider)
      + Self.rows(Self.notPlayed + Self.databases(of: project), part: .notPlayed)
    var parts: [String: Part] = [:]
    rows = all.filter { row in
      guard parts[row.host] == nil else { return false }
      parts[row.host] = row.part
      return true
    }
    self.parts = parts
  }

  /// What answers for a name in lower case; nil for a host that is not in the table.
  package subscript(host host: String) -> Part? { parts[host] }

  /// All names, for certificates and hosts files.
  package var names: [String] { rows.map(\.host) }

  /// The domain of a project's pages.
  package static func authDomain(of project: String) -> String { "\(project).firebaseapp.com" }

  /// The metadata server's name. It speaks plain HTTP.
  package static let metadata = "metadata.google.internal"
  /// Where it is on a machine at Google.
  package static let metadataAddress = "169.254.169.254"
  /// The names by which clients ask for it. With the dot, a name is looked up as it is.
  package static let metadataNames = [metadata, metadata + ".", "metadata"]

  /// Whether a host, without its port and in lower case, is the metadata server.
  package static func isMetadata(_ host: String) -> Bool {
    host == metadataAddress || metadataNames.contains(host)
  }

  private static func rows(_ hosts: [String], part: Part) -> [Row] {
    hosts.map { Row(host: $0, part: part) }
  }

  private static func authDomains(of project: String) -> [String] {
    [authDomain(of: project), "\(project).web.app"]
  }

  private static func databases(of project: String) -> [String] {
    ["\(project).firebaseio.com", "\(project)-default-rtdb.firebaseio.com"]
  }

  private static let routes = [
    "identitytoolkit.googleapis.com", "securetoken.googleapis.com", "securetoken.google.com",
    "www.googleapis.com", "oauth2.googleapis.com", "sts.googleapis.com",
    "iamcredentials.googleapis.com", "firebaseinstallations.googleapis.com", "apis.google.com",
    "content-firebaseappcheck.googleapis.com", "fcm.googleapis.com",
    "fcmregistrations.googleapis.com", "firebaseappcheck.googleapis.com",
    "iid.googleapis.com",
    metadata,
  ]

  private static let notPlayed =
    [
      "content-firebaseappcheck", "fcm", "fcmregistrations", "firebase", "firebaseappcheck",
      "firebaselogging", "firebaseremoteconfig", "firebaserules", "firebasestorage", "storage",
      "firebasehosting", "firebasedatabase", "firebasedataconnect", "firebasevertexai",
      "firebaseml", "firebasedynamiclinks", "cloudresourcemanager", "cloudfunctions",
      "cloudtasks", "cloudscheduler", "cloudkms", "secretmanager", "pubsub", "eventarc", "run",
      "logging", "monitoring", "cloudtrace", "bigquery", "datastore", "iam", "serviceusage",
      "recaptchaenterprise", "generativelanguage", "aiplatform",
    ].map { $0 + ".googleapis.com" } + ["www.recaptcha.net"]
}
