import HearthErrors
package import HearthSQLite
import HearthTime
package import HearthTokens
import Synchronization

/// What a server has of App Check, for all its projects: the keys that sign tokens, and the report.
///
/// A class because it owns both. Where no project asks for tokens, calls do not get further than
/// ``isAsked``.
package final class AppCheckFacts: Sendable {
  package let keys: LazyKeys
  package let report = AppCheckReport()
  private let asked: Atomic<Bool>

  init(_ initial: Switches, dataDirectory: String?, clock: any HearthClock) {
    keys = LazyKeys(directory: dataDirectory, folder: "app-check-keys", clock: clock)
    asked = Atomic(initial.asksForAppCheck)
  }

  /// Whether any project may look at tokens.
  package var isAsked: Bool { asked.load(ordering: .relaxed) }

  func note(_ switches: Switches) {
    if switches.asksForAppCheck { asked.store(true, ordering: .relaxed) }
  }
}

/// A service that App Check protects, of those that Hearth has.
package enum AppCheckService: String, Sendable, CaseIterable {
  case auth = "identitytoolkit.googleapis.com"
  case firestore = "firestore.googleapis.com"
}

extension Switches {
  package func enforcement(of service: AppCheckService) -> Enforcement {
    switch service {
    case .auth: appCheckAuth
    case .firestore: appCheckFirestore
    }
  }

  package mutating func setEnforcement(_ mode: Enforcement, of service: AppCheckService) {
    switch service {
    case .auth: appCheckAuth = mode
    case .firestore: appCheckFirestore = mode
    }
  }

  fileprivate var asksForAppCheck: Bool { appCheckAuth != .off || appCheckFirestore != .off }
}

extension ServerFacts {
  /// The switches of a project, for what is decided before its transaction begins.
  package func switches(of projectId: String, in store: Store) -> Switches {
    if let known = settings.switches(of: projectId) { return known }
    let read = try? store.transaction { transaction throws(APIError) in
      try ProjectSettings.load(projectId, in: transaction, server: self).switches
    }
    return read ?? initialSwitches
  }
}
