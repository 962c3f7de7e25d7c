/// The ids of Firestore's operations on documents, which are those of the calls over REST.
package enum FirestoreOperations {
  /// The operations that commit.
  package static let commits = [
    "batchWrite", "commit", "createDocument", "delete", "patch", "write",
  ].map(id)

  package static func id(of verb: String) -> String {
    "firestore.projects.databases.documents.\(verb)"
  }
}
