import Synchronization

/// The mode in which unmodified production builds take Hearth for Google. Who calls as an
/// administrator has to prove it there.
package final class GoogleMode: Sendable {
  private let defaultProject: String
  /// The domain of the default project's pages.
  package let authDomain: String
  package let serviceAccounts: ServiceAccounts
  private let openBase: Mutex<String?>

  /// `publicURL` is what links begin with that people open; nil for the server's own address, which is
  /// set when the ports are open.
  package init(
    defaultProject: String, authDomain: String? = nil, publicURL: String? = nil,
    serviceAccounts: ServiceAccounts
  ) {
    self.defaultProject = defaultProject
    self.authDomain = authDomain ?? "\(defaultProject).firebaseapp.com"
    self.serviceAccounts = serviceAccounts
    openBase = Mutex(publicURL)
  }

  /// What links begin with that people open outside of the mode's names.
  package var publicURL: String? { openBase.withLock { $0 } }

  /// Sets the server's own address, unless another was chosen.
  package func serve(at url: String) { openBase.withLock { $0 = $0 ?? url } }

  package func authDomain(of project: String) -> String {
    project == defaultProject ? authDomain : "\(project).firebaseapp.com"
  }

  /// The page that Google's links lead to.
  package func actionPage(of project: String) -> String {
    "https://\(authDomain(of: project))/__/auth/action"
  }

  /// The same link at an address that a browser outside can open; nil for links of other pages.
  package func openLink(_ link: String, of project: String) -> String? {
    let page = actionPage(of: project) + "?"
    guard let base = publicURL, link.hasPrefix(page) else { return nil }
    return base + "/emulator/action?" + link.dropFirst(page.count)
  }
}
