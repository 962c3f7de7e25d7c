import HearthPages

/// The address that an action page continues to, by what a browser may do with it.
package enum OnwardAddress: Sendable, Equatable {
  /// An `http` or `https` URL, or a path of this server.
  case web(String)
  /// A custom URL scheme. The user confirms it first, because a page cannot know what opens.
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
