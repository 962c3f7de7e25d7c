import HearthErrors
import HearthOperations
import HearthSQLite
import HearthWire

/// Where the texts of an app are kept: a table for each platform.
struct KeptTexts: ProjectSubject {
  let project: ProjectTransaction

  init(in project: ProjectTransaction) { self.project = project }

  func texts() throws(APIError) -> AppTexts {
    let rows = try transaction.all(
      "SELECT platform, texts FROM push_texts WHERE project = ?", arguments: [projectId]
    ) { ($0[0] as String, $0[1] as String) }
    var texts = AppTexts()
    for (name, json) in rows {
      guard let platform = AppTexts.Platform(rawValue: name) else { continue }
      texts[platform] = (try? JSON.parse(Array(json.utf8)))?.object
    }
    return texts
  }

  func save(_ texts: JSONObject, of platform: AppTexts.Platform) throws(APIError) {
    try transaction.execute(
      "INSERT OR REPLACE INTO push_texts (project, platform, texts) VALUES (?, ?, ?)",
      arguments: [projectId, platform.rawValue, JSON.object(texts).text])
  }

  func clear() throws(APIError) {
    try transaction.execute("DELETE FROM push_texts WHERE project = ?", arguments: [projectId])
  }
}
