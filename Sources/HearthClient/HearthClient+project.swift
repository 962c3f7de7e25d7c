extension HearthClient {
  /// Sets the security rules of the project's Firestore.
  ///
  /// - Parameter text: the text of the rules.
  /// - Throws: ``HearthError`` with line and column of the first mistake.
  public func setRules(_ text: String) async throws {
    let file: [String: any Sendable] = ["name": "firestore.rules", "content": text]
    let files: [[String: any Sendable]] = [file]
    try await call(
      "PUT", "/emulator/v1/projects/\(project):securityRules",
      ["rules": ["files": files] as [String: any Sendable]], answering: Nothing.self)
  }

  /// Puts a seed into the project: users, documents, rules, switches, faults and the clock.
  ///
  /// - Parameters:
  ///   - text: the seed, as YAML or JSON.
  ///   - path: the absolute path of the file that the text is from, for the rules that it names.
  /// - Throws: ``HearthError`` with the line of the first mistake; nothing of the seed stays then.
  public func applySeed(_ text: String, from path: String? = nil) async throws {
    var body: [String: any Sendable] = ["content": text]
    body["path"] = path
    try await control("POST", "seed", body, answering: Nothing.self)
  }

  /// Deletes all that the project holds: users, documents, mails, settings, snapshots, faults, its
  /// clock and its request log.
  ///
  /// - Throws: ``HearthError``.
  public func deleteProject() async throws {
    try await call("DELETE", "/emulator/v1/projects/\(project)", answering: Nothing.self)
  }

  /// The address of the emulator's parts.
  package func addresses() async throws -> (auth: String, firestore: String, project: String) {
    struct Overview: Decodable {
      struct Addresses: Decodable { let auth, firestore: String }
      let addresses: Addresses
      let defaultProject: String
    }
    let overview = try await call("GET", "/emulator/v1/overview", answering: Overview.self)
    return (overview.addresses.auth, overview.addresses.firestore, overview.defaultProject)
  }
}
