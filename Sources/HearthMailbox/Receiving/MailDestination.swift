package import HearthErrors

/// The project of a mail. Neither SMTP nor the providers' APIs know projects, so what the app gave
/// otherwise is looked at.
package struct MailDestination: Sendable {
  /// The user name of SMTP, or the key of an API.
  private let user: String?
  /// What the mail says itself.
  private let header: String?
  private let recipients: [String]

  package init(user: String?, _ mail: PreparedMail) {
    self.user = user
    header = mail.projectHeader
    recipients = Array(mail.recipients.prefix(Self.lookedUp))
  }

  private static let lookedUp = 20

  /// The first that applies: the user name, where it is a project; the header; the only project with
  /// an account of a recipient; the default project.
  ///
  /// - Parameters:
  ///   - isProject: whether there is such a project, or may be one.
  ///   - isUsable: whether it can be the id of one.
  ///   - owners: the projects that have an account with the address.
  package func project(
    or standard: String, isProject: (String) throws(APIError) -> Bool,
    isUsable: (String) -> Bool, owners: (String) throws(APIError) -> [String]
  ) throws(APIError) -> String {
    if let user, isUsable(user), try isProject(user) { return user }
    if let header, isUsable(header) { return header }
    var found: Set<String> = []
    for recipient in recipients { found.formUnion(try owners(recipient)) }
    return found.count == 1 ? found.first ?? standard : standard
  }
}
