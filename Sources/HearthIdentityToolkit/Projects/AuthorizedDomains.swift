import HearthErrors
import HearthOperations
import HearthWire

/// The domains that links of a project may lead to.
struct AuthorizedDomains: ProjectSubject {
  let project: ProjectTransaction

  init(in project: ProjectTransaction) { self.project = project }
}

extension AuthorizedDomains {
  /// More, and the link with it would be longer than what servers read, ours too.
  private static let longestURL = 8 << 10

  /// An absolute URL; with the switch on, also on a domain that the project lists.
  func checkContinueURL(_ text: String?) throws(APIError) {
    guard let text = text.nonEmpty else { return }
    guard text.utf8.count <= Self.longestURL else {
      throw APIError(
        .invalidContinueURI, detail: "it is longer than \(Self.longestURL) bytes")
    }
    guard let url = WebURL(text) else {
      throw APIError(
        .invalidContinueURI, detail: "((expected an absolute URI with valid scheme and host))")
    }
    guard try switches().authorizedDomains else { return }
    guard try authorizes(domain: url.host) else {
      throw APIError(.unauthorizedDomain)
    }
  }
}

extension AuthorizedDomains {
  /// `authorizedDomains` of the config; a listed domain stands for its subdomains too. A new project
  /// of production has its own two only. As Google, apps for iOS and Android look for them too: they
  /// open sign-in pages there.
  var authorizedDomains: [String] {
    get throws(APIError) {
      let settings = try settings()
      if let listed = settings.config["authorizedDomains"]?.array {
        return listed.compactMap(\.string)
      }
      let own = ["\(projectId).firebaseapp.com", "\(projectId).web.app"]
      let usual =
        switch settings.switches.answers {
        case .emulator: ["localhost"] + (server.google == nil ? [] : own)
        case .production: own
        }
      return usual + server.networkDomains
    }
  }

  fileprivate func authorizes(domain host: String) throws(APIError) -> Bool {
    try authorizedDomains.contains { host == $0 || host.hasSuffix("." + $0) }
  }
}
