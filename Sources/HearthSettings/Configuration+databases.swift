import HearthWire

/// What `firestore` of `firebase.json` says of a database, or of the databases of a target.
struct DatabaseEntry: Sendable {
  let database: String
  /// A name for databases, which `.firebaserc` lists; nil for none.
  let target: String?
  var rules: String?
  let indexes: String?

  /// `firestore` is an object, or an array of objects.
  static func all(_ json: JSON?, place: (String) -> String) -> [DatabaseEntry] {
    func path(_ json: JSON?) -> String? {
      json?.string.map { $0.hasPrefix("/") ? $0 : place($0) }
    }
    return (json?.array ?? json.map { [$0] } ?? []).map { entry in
      DatabaseEntry(
        database: entry["database"]?.string ?? "(default)", target: entry["target"]?.string,
        rules: path(entry["rules"]), indexes: path(entry["indexes"]))
    }
  }
}

extension Configuration {
  /// Finds the files of each database. Called again when the project changes: targets are those of
  /// a project.
  ///
  /// The rules of `(default)` are those of databases that have none of their own. A single entry is
  /// for all databases, as in the official emulator.
  mutating func settleDatabases() {
    indexFiles = [:]
    var rules: [String: String] = [:]
    for entry in databaseEntries {
      for database in databases(of: entry) {
        indexFiles[database] = entry.indexes ?? indexFiles[database]
        rules[database] = entry.rules ?? rules[database]
      }
    }
    // Without any, the user may have named a file.
    guard databaseEntries.contains(where: { $0.rules != nil }) else { return }
    if databaseEntries.count == 1 {
      rulesPath = databaseEntries[0].rules
    } else {
      rulesPath = rules.removeValue(forKey: "(default)")
      databaseRules = rules
    }
  }

  /// Takes a file for all databases.
  package mutating func setRules(_ path: String) {
    rulesPath = path
    databaseRules = [:]
    for index in databaseEntries.indices { databaseEntries[index].rules = nil }
  }

  private func databases(of entry: DatabaseEntry) -> [String] {
    guard let target = entry.target else { return [entry.database] }
    return targets?[project]?["firestore"]?[target]?.array?.compactMap(\.string) ?? []
  }

  /// `.firebaserc` names projects, and nobody has chosen one of them.
  private var unchosenProject: String? {
    guard !isProjectChosen, !projectAliases.isEmpty, !projectAliases.values.contains(project)
    else { return nil }
    let names = projectAliases.keys.sorted()
    return ".firebaserc has no default project, so this is \(project). Choose one with --project: "
      + "\(names.joined(separator: ", "))."
  }

  /// What the log says at the start of the files of settings.
  package var warnings: [String] {
    let isUsed = databaseEntries.contains { $0.rules != nil }
    let several = databaseEntries.count > 1
    let lost = databaseEntries.filter { entry in
      let hasEffect = several && entry.rules != nil || entry.indexes != nil
      return hasEffect && databases(of: entry).isEmpty
    }
    let file = settingsPath ?? "firebase.json"
    var warnings = unknownNames + [unusedHosts, unchosenProject].compactMap(\.self)
    for target in lost.compactMap(\.target) {
      warnings.append(
        "\(file): the files of the Firestore target '\(target)' are not used: .firebaserc has no "
          + "databases of it for \(project).")
    }
    if several, isUsed, rulesPath == nil {
      warnings.append(
        "\(file) has no rules for the database (default) and for databases without rules of their "
          + "own: \(effectWithoutRules).")
    }
    return warnings
  }
}
