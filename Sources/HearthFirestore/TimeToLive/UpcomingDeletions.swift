package import HearthErrors
import HearthOperations
package import HearthTime

/// The documents of a collection group that its policy will delete.
package struct UpcomingDeletion: Sendable {
  package let database: DatabaseName
  package let group: String
  /// The path of the field with the time.
  package let field: String
  /// When the first one is deleted, by the project's clock.
  package let at: Timestamp
  package let count: Int
  /// Whether there are more than were looked at. The first one may be another one then.
  package let isCut: Bool
}

extension Firestore {
  /// How much is looked at of each policy, and of how many.
  private static let most = (documents: 10_000, collections: 500, policies: 100)

  /// What the policies of a project delete next, with the earliest first; for each policy as far as
  /// little work tells.
  package func upcomingDeletions(of project: String) throws(APIError) -> [UpcomingDeletion] {
    guard let delay = switches(project).deletionDelay else { return [] }
    var found: [UpcomingDeletion] = []
    let policies = try timeToLive.policies(of: project, self)
      .sorted { ($0.database.database, $0.group) < ($1.database.database, $1.group) }
    for policy in policies.prefix(Self.most.policies) {
      // One at a time: nobody has to wait for all of them.
      let count = try read { documents throws(APIError) in
        try documents.expiryCount(
          of: policy, documents: Self.most.documents, collections: Self.most.collections)
      }
      guard count.documents > 0, count.first < Documents.endOfTime else { continue }
      found.append(
        UpcomingDeletion(
          database: policy.database, group: policy.group, field: policy.field.description,
          // Rounded up: at that time the document is gone.
          at: Timestamp(milliseconds: (count.first &+ delay &+ 999) / 1000),
          count: count.documents, isCut: count.isCut || policies.count > Self.most.policies))
    }
    return found.sorted { $0.at < $1.at }
  }
}
