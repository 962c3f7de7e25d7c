package import HearthErrors
package import HearthOperations
import HearthSQLite
package import HearthWire

/// Where the texts of an app are kept: tables without a language, as `values/strings.xml` is one, and
/// those of languages.
package struct KeptTexts: ProjectSubject {
  static let mostTables = 100
  /// Bytes of all tables of languages.
  static let mostBytes = 4 << 20

  package let project: ProjectTransaction

  package init(in project: ProjectTransaction) { self.project = project }

  // MARK: Reading

  /// What keys are looked up in for a device of the language, the first that has the key counts: the
  /// device's language, the project's, the texts without a language.
  func texts(for language: LanguageTag?) throws(APIError) -> AppTexts {
    var names: [String] = []
    for name in (language?.chain ?? []) + (try self.language()?.chain ?? [])
    where !names.contains(name) {
      names.append(name)
    }
    var texts = AppTexts(language: language)
    for platform in AppTexts.Platform.allCases {
      var tables: [JSONObject] = []
      for name in names {
        if let table = try table(of: platform, language: name) { tables.append(table) }
      }
      if let base = try table(of: platform) { tables.append(base) }
      if tables.isEmpty, let first = try firstLanguage(of: platform),
        let table = try table(of: platform, language: first)
      {
        tables = [table]
      }
      texts[platform] = tables
    }
    return texts
  }

  /// The language of devices that have none.
  private func language() throws(APIError) -> LanguageTag? {
    try transaction.first(
      "SELECT language FROM push_languages WHERE project = ?", arguments: [projectId]
    ) { $0[0] as String }.flatMap(LanguageTag.init)
  }

  /// What counts where nothing says which language does.
  private func firstLanguage(of platform: AppTexts.Platform) throws(APIError) -> String? {
    try transaction.first(
      """
      SELECT language FROM push_translations WHERE project = ? AND platform = ?
      ORDER BY language != 'en', language LIMIT 1
      """,
      arguments: [projectId, platform.rawValue]
    ) { $0[0] as String }
  }

  private func table(
    of platform: AppTexts.Platform, language: String? = nil
  ) throws(APIError) -> JSONObject? {
    let found: String? =
      if let language {
        try transaction.first(
          "SELECT texts FROM push_translations WHERE project = ? AND language = ? AND platform = ?",
          arguments: [projectId, language, platform.rawValue]
        ) { $0[0] as String }
      } else {
        try transaction.first(
          "SELECT texts FROM push_texts WHERE project = ? AND platform = ?",
          arguments: [projectId, platform.rawValue]
        ) { $0[0] as String }
      }
    return found.flatMap { try? JSON.parse($0) }?.object
  }

  /// All of them, as ``SetTexts`` takes them.
  package func json() throws(APIError) -> JSONObject {
    var json = JSONObject()
    for platform in AppTexts.Platform.allCases {
      json[platform.rawValue] = try table(of: platform).map(JSON.object)
    }
    json["language"] = try language().map { .string($0.text) }
    let rows = try transaction.all(
      """
      SELECT language, platform, texts FROM push_translations WHERE project = ?
      ORDER BY language, platform
      """,
      arguments: [projectId]
    ) { ($0[0] as String, $0[1] as String, $0[2] as String) }
    var languages = JSONObject()
    for (language, platform, texts) in rows {
      var tables = languages[language]?.object ?? JSONObject()
      tables[platform] = try? JSON.parse(texts)
      languages[language] = .object(tables)
    }
    if !languages.isEmpty { json["languages"] = .object(languages) }
    return json
  }

  // MARK: Writing

  func save(_ texts: JSONObject, of platform: AppTexts.Platform) throws(APIError) {
    try transaction.execute(
      "INSERT OR REPLACE INTO push_texts (project, platform, texts) VALUES (?, ?, ?)",
      arguments: [projectId, platform.rawValue, JSON.object(texts).text])
  }

  func save(
    _ texts: JSONObject, of platform: AppTexts.Platform, in language: LanguageTag
  ) throws(APIError) {
    try transaction.execute(
      """
      INSERT OR REPLACE INTO push_translations (project, language, platform, texts)
      VALUES (?, ?, ?, ?)
      """,
      arguments: [projectId, language.text, platform.rawValue, JSON.object(texts).text])
  }

  /// Takes a catalogue in place of all texts of Apple's platforms.
  func save(_ catalogue: StringCatalogue) throws(APIError) {
    for table in ["push_texts", "push_translations"] {
      try transaction.execute(
        "DELETE FROM \(table) WHERE project = ? AND platform = ?",
        arguments: [projectId, AppTexts.Platform.ios.rawValue])
    }
    for (language, texts) in catalogue.tables { try save(texts, of: .ios, in: language) }
    if try language() == nil { try save(catalogue.source) }
  }

  func save(_ language: LanguageTag) throws(APIError) {
    try transaction.execute(
      "INSERT OR REPLACE INTO push_languages (project, language) VALUES (?, ?)",
      arguments: [projectId, language.text])
  }

  /// After what was saved: a transaction that is refused keeps nothing of it.
  func checkRoom() throws(APIError) {
    let (count, bytes) =
      try transaction.first(
        """
        SELECT count(*), coalesce(sum(length(CAST(texts AS BLOB))), 0) FROM push_translations
        WHERE project = ?
        """,
        arguments: [projectId]
      ) { ($0[0] as Int, $0[1] as Int) } ?? (0, 0)
    guard count <= Self.mostTables, bytes <= Self.mostBytes else {
      throw APIError(
        .invalidArgument,
        detail: "the languages have more than \(Self.mostTables) tables, or more than "
          + "\(Self.mostBytes) bytes")
    }
  }

  func clear() throws(APIError) {
    for table in ["push_texts", "push_translations", "push_languages"] {
      try transaction.execute("DELETE FROM \(table) WHERE project = ?", arguments: [projectId])
    }
  }
}
