import HearthOperations
import HearthWire

/// How each operation differs from the official emulator, as the table of the guide `Differences.md`.
///
/// Everything comes from the route table: the operations, their state, the remarks and the switches.
package enum Differences {
  /// The Markdown table: one line for each operation, its several addresses taken together.
  package static var markdown: String {
    var lines = ["| operation | compared | what differs | switches |", "|---|---|---|---|"]
    for operation in operations {
      let switches = operation.switches.map { "`\($0)`" }.joined(separator: ", ")
      lines.append(
        "| `\(operation.name)` | \(operation.verdict.rawValue) | "
          + "\(operation.remarks.joined(separator: "; ")) | \(switches) |")
    }
    return lines.joined(separator: "\n")
  }

  enum Verdict: String {
    case same = "same"
    case closer = "closer to production"
    case missing = "missing: 501"
  }

  struct Operation {
    let name: String
    let verdict: Verdict
    let remarks: [String]
    let switches: [String]
  }

  /// The operations that the official emulator has a name for, in the order of the table.
  static var operations: [Operation] {
    var seen: Set<String> = []
    return RouteCatalogue.all.compactMap { route in
      guard let name = name(of: route), seen.insert(name).inserted else { return nil }
      let switches = Switches.toggles.filter { toggle in
        route.switches.contains { $0 == toggle.path }
      }.map(\.name)
      let isSame = route.differs.isEmpty && switches.allSatisfy { !alwaysOn.contains($0) }
      let isMissing = !route.isImplemented || refused.contains(name)
      let verdict: Verdict = isMissing ? .missing : isSame ? .same : .closer
      return Operation(name: name, verdict: verdict, remarks: route.differs, switches: switches)
    }
  }

  /// Operations that have a route and answer 501 all the same.
  private static let refused: Set = ["documents.executePipeline"]

  /// Switches whose initial value differs from the official emulator.
  private static let alwaysOn: Set = ["tokenExpiry", "codeExpiry"]

  /// The operation's name without its scope; nil for an operation that only Hearth has.
  private static func name(of route: Route) -> String? {
    var name = route.id[...]
    guard
      !["google.", "hearth.", "idp.", "keys.", "emulator.ready"].contains(where: name.hasPrefix)
    else {
      return nil
    }
    // The official emulator has no Admin API.
    let documents = "firestore.projects.databases.documents."
    guard !name.hasPrefix("firestore.") || name.hasPrefix(documents) else { return nil }
    for scope in ["identitytoolkit.", "firestore.projects.databases.", "projects."]
    where name.hasPrefix(scope) {
      name = name.dropFirst(scope.count)
    }
    let inTenant = name.hasPrefix("tenants.") ? name.dropFirst("tenants.".count) : ""
    if scopedToTenants.contains(where: inTenant.hasPrefix) { name = inTenant }
    return name == "accounts" ? "accounts.signUp" : String(name)
  }

  /// Operations that exist for a project and, under a longer path, for a tenant.
  private static let scopedToTenants = [
    "accounts", "createSessionCookie", "defaultSupportedIdpConfigs.", "inboundSamlConfigs.",
    "oauthIdpConfigs.",
  ]
}
