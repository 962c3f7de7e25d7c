import HearthServiceAccounts

extension ProjectTransaction {
  /// A link at an address that people can open, where that is another one than the link's.
  package func openLink(_ link: String?) -> String? {
    guard let google = server.google, let link else { return nil }
    return google.openLink(link, of: projectId)
  }
}
