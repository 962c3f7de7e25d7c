import HearthErrors
import HearthLimits

/// The limits of production that the official emulator does not have: of index entries and of the
/// size of a commit. They are checked with `limits: production` only. It keeps nothing between two
/// commits.
struct CommitLimits {
  /// What is indexed of each collection group. Called in a transaction of the store, on any thread.
  let indexing: @Sendable (DatabaseName, String) -> GroupIndexing

  /// Checks what a commit leaves, in the transaction of that commit. It takes as long as the
  /// documents are large.
  ///
  /// - Throws: INVALID_ARGUMENT with the limit, which undoes the commit.
  func check(_ effects: [DocumentEffect]) throws(APIError) {
    var size = 0
    for effect in effects where effect.isChange {
      guard let document = effect.after else { continue }
      try check(document)
      size += DocumentSize.size(document.fields, of: document.path)
    }
    guard size <= Limit.transactionSize.value else {
      throw .invalid(Limit.transactionSize.refusal())
    }
  }

  private func check(_ document: StoredDocument) throws(APIError) {
    let group = document.path.parent.id
    let usage = IndexUsage(of: document, indexing(document.path.database, group))
    guard usage.entries <= Limit.indexEntries.value else {
      let path = "/" + document.path.segments.joined(separator: "/")
      throw .invalid(Limit.indexEntries.refusal(path))
    }
    // The ids with a slash between two of them.
    let nameSize = document.path.segments.reduce(-1) { $0 + $1.utf8.count + 1 }
    guard usage.largest <= Limit.indexEntrySize.value, nameSize <= Limit.indexedName.value else {
      throw .invalid(Limit.indexEntrySize.refusal())
    }
    guard usage.bytes <= Limit.indexEntriesSize.value else {
      throw .invalid(Limit.indexEntriesSize.refusal())
    }
  }
}
