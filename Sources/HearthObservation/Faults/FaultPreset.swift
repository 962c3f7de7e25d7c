package import HearthErrors
package import HearthSQLite
package import HearthWire

/// Faults under a name: those of the server, and those that people keep there for all projects.
package struct FaultPreset: Sendable {
  package let name: String
  package let title: String
  let isBuiltIn: Bool
  /// As `PUT …/faults` takes them.
  package let faults: JSON

  package var json: JSON {
    .members([
      "name": .string(name), "title": .string(title), "builtIn": .bool(isBuiltIn),
      "faults": faults,
    ])
  }

  /// A preset that somebody wants to keep.
  package init(_ name: String, body: JSONObject, targets: FaultTargets) throws(APIError) {
    let faults = body["faults"] ?? .null
    guard let list = faults.array, !list.isEmpty else {
      throw APIError(.invalidArgument, detail: "/faults must be an array of faults")
    }
    for (index, fault) in list.enumerated() {
      _ = try FaultRule(fault, at: "/faults/\(index)", targets: targets)
    }
    self.init(name, title: body["title"]?.string.nonEmpty ?? name, faults: faults, isBuiltIn: false)
  }

  private init(_ name: String, title: String, faults: JSON, isBuiltIn: Bool = true) {
    self.name = name
    self.title = title
    self.faults = faults
    self.isBuiltIn = isBuiltIn
  }

  /// How long calls take, and how much longer commits do.
  private static func latency(
    _ name: String, title: String, reads: (String, String), commits: (String, String)
  ) -> FaultPreset {
    func rule(_ operation: String, range: (String, String)) -> JSON {
      [
        "operation": .string(operation),
        "effect": ["latency": ["min": .string(range.0), "max": .string(range.1)]], "seed": 1,
      ]
    }
    return FaultPreset(
      name, title: title,
      faults: .array(
        [rule("*", range: reads)] + FirestoreOperations.commits.map { rule($0, range: commits) }))
  }

  static let builtIn = [
    FaultPreset(
      "slow-3g", title: "Slow 3G",
      faults: [
        ["operation": "*", "effect": ["latency": ["min": "400ms", "max": "800ms"]]],
        ["operation": "*", "effect": ["slowBody": "50KB/s"]],
      ]),
    FaultPreset(
      "3g", title: "3G",
      faults: [
        ["operation": "*", "effect": ["latency": ["min": "150ms", "max": "400ms"]]],
        ["operation": "*", "effect": ["slowBody": "90KB/s"]],
      ]),
    latency(
      "regional", title: "A region nearby", reads: ("15ms", "50ms"), commits: ("20ms", "60ms")),
    latency(
      "multi-region", title: "Several regions", reads: ("30ms", "90ms"), commits: ("60ms", "180ms")),
    FaultPreset(
      "offline", title: "Offline", faults: [["operation": "*", "effect": ["drop": "before"]]]),
    FaultPreset(
      "sign-up-fails", title: "The next sign-up fails",
      faults: [["operation": "*.signUp", "effect": ["error": "INTERNAL"], "times": 1]]),
    FaultPreset(
      "third-write-fails", title: "Every third write fails",
      faults: .array(
        FirestoreOperations.commits.map { operation in
          ["operation": .string(operation), "every": 3, "effect": ["error": "UNAVAILABLE"]]
        })),
    FaultPreset(
      "contention", title: "A fifth of the commits is aborted",
      faults: [["effect": ["contention": .double(0.2)], "seed": 1]]),
    FaultPreset(
      "answers-lost", title: "Answers get lost",
      faults: [["operation": "*", "share": .double(0.1), "effect": ["drop": "after"]]]),
    FaultPreset(
      "quota", title: "Too many attempts",
      faults: [
        [
          "operation": "identitytoolkit.accounts.*",
          "effect": ["error": "TOO_MANY_ATTEMPTS_TRY_LATER"],
        ]
      ]),
  ]
}

/// The presets that people keep.
package struct FaultPresets {
  package static let migrations = [
    Migration(
      "fault presets",
      sql: "CREATE TABLE fault_presets (name TEXT PRIMARY KEY, record TEXT NOT NULL) WITHOUT ROWID")
  ]

  private static let most = 100
  private static let longest = 16_384

  package let store: Store
  package let targets: FaultTargets

  package init(store: Store, targets: FaultTargets) {
    self.store = store
    self.targets = targets
  }

  package func all() throws(APIError) -> [FaultPreset] {
    let kept = try store.transaction { transaction throws(APIError) in
      try transaction.all("SELECT name, record FROM fault_presets ORDER BY name") {
        ($0[0] as String, $0[1] as String)
      }
    }
    return FaultPreset.builtIn
      + kept.compactMap { name, record in
        (try? JSON.parse(record).object).flatMap {
          try? FaultPreset(name, body: $0, targets: targets)
        }
      }
  }

  package func preset(_ name: String) throws(APIError) -> FaultPreset {
    guard let preset = try all().first(where: { $0.name == name }) else {
      throw APIError(.notFound, detail: "no preset \(name)")
    }
    return preset
  }

  package func keep(_ preset: FaultPreset) throws(APIError) {
    try checkName(preset.name)
    let record = preset.json.text
    guard record.utf8.count <= Self.longest else {
      throw APIError(.invalidArgument, detail: "a preset has at most \(Self.longest) bytes")
    }
    try store.transaction { transaction throws(APIError) in
      let others = try transaction.count(
        "SELECT COUNT(*) FROM fault_presets WHERE name <> ?", arguments: [preset.name])
      guard others < Self.most else {
        throw APIError(
          .resourceExhausted, detail: "there are \(Self.most) presets; delete some first")
      }
      try transaction.execute(
        "INSERT OR REPLACE INTO fault_presets (name, record) VALUES (?, ?)",
        arguments: [preset.name, record])
    }
  }

  package func delete(_ name: String) throws(APIError) {
    try checkName(name)
    _ = try preset(name)
    try store.transaction { transaction throws(APIError) in
      try transaction.execute("DELETE FROM fault_presets WHERE name = ?", arguments: [name])
    }
  }

  private func checkName(_ name: String) throws(APIError) {
    guard (1...64).contains(name.utf8.count) else {
      throw APIError(.invalidArgument, detail: "a preset has a name of 1 to 64 bytes")
    }
    guard !FaultPreset.builtIn.contains(where: { $0.name == name }) else {
      throw APIError(.invalidArgument, detail: "\(name) is built in and cannot be changed")
    }
  }
}
