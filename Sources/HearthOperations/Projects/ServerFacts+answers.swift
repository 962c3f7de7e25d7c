package import HearthErrors
package import HearthSQLite

extension ServerFacts {
  /// Whose answers a project gives, for what is decided before its transaction begins.
  package func answers(
    of project: @autoclosure () -> String, in store: Store
  ) -> Switches.Program {
    guard hasProductionAnswers else { return .emulator }
    let projectId = project()
    if let known = settings.settings(of: projectId) { return known.switches.answers }
    let settings = try? store.transaction { transaction throws(APIError) in
      try ProjectSettings.load(projectId, in: transaction, server: self)
    }
    return settings?.switches.answers ?? initialSwitches.answers
  }

  /// Finds out, once at the start, whether a stored project has production's answers.
  package func reading(_ store: Store) throws(APIError) -> ServerFacts {
    let found = try store.transaction { transaction throws(APIError) in
      try transaction.first(
        "SELECT 1 FROM projects WHERE json_extract(switches, '$.answers') = 'production'"
      ) { _ in true }
    }
    if found == true { noteProductionAnswers() }
    for projectId in try store.transaction({ transaction throws(APIError) in
      try ProjectSettings.projectIds(withAppCheckIn: transaction)
    }) {
      _ = try store.transaction { transaction throws(APIError) in
        try ProjectSettings.load(projectId, in: transaction, server: self)
      }
    }
    return self
  }
}
