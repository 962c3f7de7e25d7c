import HearthPages

/// Where a link leads on to after it has done its work, as far as a browser may go there.
package enum OnwardAddress: Sendable, Equatable {
  /// An address of the web, or one below this server.
  case web(String)
  /// The scheme of an app: a person is asked first, as a page cannot know what opens.
  case app(String)
  /// Following it could run or read something.
  case unsafe(String)

  package init(_ url: String) {
    let scheme = url.prefix { $0 != ":" }.lowercased()
    if scheme == "http" || scheme == "https" || !url.contains(":") {
      self = .web(url)
    } else if HTML.linkTarget(url) != nil {
      self = .app(url)
    } else {
      self = .unsafe(url)
    }
  }
}
