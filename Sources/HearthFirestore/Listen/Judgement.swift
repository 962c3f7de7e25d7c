import HearthErrors

/// Whether what the rules have said of a stream's targets still holds.
///
/// Rules are not asked again at every commit: their decision about a query does not depend on its
/// result. It belongs to the state of a stream, and is used by the stream's task only.
struct Judgement {
  /// The generation of the rules that were asked last; nil before that.
  var generation: Int?

  /// Whether rules have to be asked again before these commits are sent. Commits may change
  /// what rules say: of documents that are listened to, and of those that the rules have looked up.
  /// Owners are not subject to rules, and without rules everything is allowed.
  func isOutdated(
    by commits: [LoggedCommit], of targets: [Int32: ListenTarget], caller: FirestoreCaller,
    rules: RulesTable
  ) -> Bool {
    guard !caller.isOwner else { return false }
    if generation != rules.generation { return true }
    let judged = targets.values.filter(\.isJudged)
    guard !judged.isEmpty else { return false }
    return commits.contains { commit in judged.contains { $0.isJudged(by: commit) } }
  }
}

extension Firestore {
  /// Asks the rules whether the caller may listen to a target. The decision and the documents that
  /// are sent come from the same transaction of the store. Otherwise a client could receive a
  /// document of a moment at which it may not read it.
  ///
  /// - Throws: PERMISSION_DENIED with the reason; the target is to be removed then. An error also
  ///   leaves the transaction where `verdicts` is paused.
  func judge(
    _ target: inout ListenTarget, caller: FirestoreCaller, database: DatabaseName,
    documents: Documents, verdicts: RuleVerdicts
  ) throws(APIError) {
    guard
      let gate = RulesGate(
        self, caller: caller, database: database, documents: documents, verdicts: verdicts,
        target: target.id)
    else {
      target.isJudged = false
      return
    }
    switch target.kind {
    case .query(let query): try gate.checkList(query)
    case .documents(let paths):
      for path in paths { try gate.checkGet(path, stored: try documents.document(at: path)) }
    }
    target.isJudged = true
    target.lookedUp = gate.lookedUpPaths
  }
}

extension ListenTarget {
  /// Whether what the rules have said rests on a document that a commit changes.
  fileprivate func isJudged(by commit: LoggedCommit) -> Bool {
    if lookedUp.contains(where: commit.changes) { return true }
    switch kind {
    case .documents(let paths): return paths.contains(where: commit.changes)
    // What rules say of other queries rests on no document of the result.
    case .query(let query):
      return query.namesDocuments && commit.effects.contains { query.covers($0.path) }
    }
  }
}

extension Query {
  /// Whether it asks for documents by their names: rules may look at each of them.
  fileprivate var namesDocuments: Bool {
    filter?.tests.contains(where: \.field.isDocumentName) ?? false
  }
}
