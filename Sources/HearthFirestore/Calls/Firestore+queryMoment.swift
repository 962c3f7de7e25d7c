extension Firestore {
  func moment(of query: Query) -> QueryMoment {
    let database = query.parent.database
    return QueryMoment(
      end: log.end(of: database), restores: log.restores(of: database), rules: rules.generation)
  }

  /// Whether a document of the query may have changed in between.
  func hasChanged(_ query: Query, since last: QueryMoment, until moment: QueryMoment) -> Bool {
    if last.end == moment.end, last.restores == moment.restores { return false }
    let portion = log.commits(of: query.parent.database, from: last.end)
    guard last.restores == moment.restores, let portion, portion.next == moment.end else {
      return true
    }
    return portion.commits.contains { commit in
      commit.effects.contains { query.covers($0.path) }
    }
  }
}
