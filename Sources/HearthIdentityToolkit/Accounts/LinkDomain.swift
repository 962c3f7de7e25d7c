import HearthErrors
import HearthOperations
import HearthWire

/// The domains that an app asks for in the links of its mails. Links lead to Hearth all the same.
struct LinkDomain: Sendable {
  /// A domain of Firebase Hosting.
  let hosting: String?
  /// A domain of Dynamic Links, which is shut down.
  let dynamic: String?

  init(_ wire: WireRequest) {
    hosting = wire.string("linkDomain").nonEmpty
    dynamic = wire.string("dynamicLinkDomain").nonEmpty
  }
}

extension AuthorizedDomains {
  private static let refusal =
    "The provided hosting link domain is not configured in Firebase Hosting or is not owned by the "
    + "current project. This cannot be a default hosting domain (web.app or firebaseapp.com)."

  /// Refuses a domain that is not the project's, or that it has by itself, as production does.
  ///
  /// - Throws: `INVALID_HOSTING_LINK_DOMAIN`, `INVALID_DYNAMIC_LINK_DOMAIN`.
  func check(_ domain: LinkDomain) throws(APIError) {
    if domain.dynamic != nil { throw APIError(.invalidDynamicLinkDomain) }
    guard let hosting = domain.hosting?.lowercased() else { return }
    let own = ["\(projectId).firebaseapp.com", "\(projectId).web.app"]
    let listed = try authorizedDomains.map { $0.lowercased() }
    guard listed.contains(hosting), !own.contains(hosting) else {
      throw APIError(.invalidHostingLinkDomain, detail: Self.refusal)
    }
  }
}
