package import HearthErrors
package import HearthFirestoreRules
package import HearthWire

/// Rules over the control endpoints, as the official emulator's test libraries set and read them.
extension Firestore {
  /// Which rules are meant: those of a project, or of one of its databases.
  package enum RulesOwner: Sendable {
    case project(String)
    case database(DatabaseName)
  }

  /// Replaces rules: `{"rules":{"files":[{"name":…,"content":…}]}}`. Where they cannot be read the
  /// old ones stay, also with `ignore_errors`, which makes a success of it.
  ///
  /// - Returns: what is odd about the rules.
  /// - Throws: INVALID_ARGUMENT with the place of the mistake.
  package func setSecurityRules(
    of owner: RulesOwner, _ body: JSON
  ) throws(APIError) -> JSON {
    let files = try Self.files(in: body)
    do throws(RuleSyntaxError) {
      // Parsed completely before anything is replaced.
      let ruleset = try Ruleset(files: files)
      switch owner {
      case .project(let project): rules.set(ruleset, of: project)
      case .database(let database): rules.set(ruleset, of: database)
      }
      return Self.issues(of: ruleset)
    } catch {
      guard (body["ignore_errors"] ?? body["ignoreErrors"])?.bool == true else {
        throw Self.refusal(of: error)
      }
      let place: JSON = .members([
        "line": .int(Int64(error.line)), "column": .int(Int64(error.column)),
      ])
      return .members(["issues": [Self.issue(place, description: error.message, severity: "ERROR")]]
      )
    }
  }

  /// The files of `{"rules":{"files":[…]}}`.
  private static func files(in body: JSON) throws(APIError) -> [RuleFile] {
    try check(body)
    var files: [RuleFile] = []
    for file in body["rules"]?["files"]?.array ?? [] {
      files.append(
        RuleFile(name: file["name"]?.string, content: file["content"]?.string ?? ""))
    }
    guard !files.isEmpty else { throw .invalid("rules.files must hold at least one file.") }
    guard !files.contains(where: { $0.content.isEmpty }) else {
      throw .invalid("Error compiling rules:\nL0:0 Rules content empty. Compilation aborted.")
    }
    return files
  }

  /// The rules of `{"rules":{"files":[…]}}`.
  ///
  /// - Throws: INVALID_ARGUMENT with the place of the mistake.
  package static func ruleset(_ body: JSON) throws(APIError) -> Ruleset {
    let files = try files(in: body)
    do throws(RuleSyntaxError) {
      return try Ruleset(files: files)
    } catch {
      throw refusal(of: error)
    }
  }

  private static func refusal(of error: RuleSyntaxError) -> APIError {
    .invalid("Error compiling rules:\nL\(error.line):\(error.column) \(error.message)")
  }

  /// - Throws: INVALID_ARGUMENT for unknown members. A misspelt name must not look as if rules were
  ///   set.
  private static func check(_ body: JSON) throws(APIError) {
    var parts: [(JSON?, known: Set<String>)] = [
      (body, ["rules", "ignore_errors", "ignoreErrors", "database"]), (body["rules"], ["files"]),
    ]
    for file in body["rules"]?["files"]?.array ?? [] {
      parts.append((file, ["name", "content", "fingerprint"]))
    }
    for (part, known) in parts {
      guard (part?.object?.members ?? []).allSatisfy({ known.contains($0.key) }) else {
        throw .invalid("Payload isn't valid for request.")
      }
    }
  }

  /// Takes away the rules that were set for a project and for its databases. The standard rules
  /// hold then, if there are any.
  package func removeRules(of project: String) {
    rules.replace(project, ruleset: nil, databases: [:])
  }

  /// The rules that hold, and what is odd about them. Without rules, the answer has some that allow
  /// everything, or nothing as in production.
  package func securityRules(of owner: RulesOwner) -> JSON {
    let (ruleset, answers) =
      switch owner {
      case .project(let project): (rules.ruleset(of: project), ruleAnswers(of: project))
      case .database(let database):
        (
          rules.ruleset(of: database, as: ruleAnswers(of: database.project)),
          ruleAnswers(of: database.project)
        )
      }
    guard let ruleset else {
      let file =
        answers == .emulator
        ? RuleFile(name: "OPEN_RULES", content: Self.source(condition: "true"))
        : RuleFile(name: "NO_RULES", content: Self.source(condition: "false"))
      return .members(["rules": Self.files([file])])
    }
    let issues = Self.issues(of: ruleset).object?.members ?? []
    return .object(
      JSONObject(
        members: [(key: "rules", value: Self.files(ruleset.parts.map(\.file)))] + issues))
  }

  /// Files in the form in which they are set.
  package static func files(_ files: [RuleFile]) -> JSON {
    .members([
      "files": .array(
        files.map { file in
          var members = JSONObject()
          members["content"] = .string(file.content)
          if let name = file.name { members["name"] = .string(name) }
          return .object(members)
        })
    ])
  }

  /// What a project without rules has.
  private static func source(condition: String) -> String {
    """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents {
        match /{document=**} {
          allow read, write: if \(condition);
        }
      }
    }
    """
  }

  /// `{}` where nothing is odd.
  static func issues(of ruleset: Ruleset) -> JSON {
    let issues = ruleset.parts.flatMap { part in
      let starts = part.file.content.lineStarts
      return part.warnings.map { warning in
        issue(
          warning.place.map { position($0, file: part.file.name, starts: starts) } ?? [:],
          description: warning.message,
          severity: "WARNING")
      }
    }
    return issues.isEmpty ? [:] : .members(["issues": .array(issues)])
  }

  /// Where a warning is. `endOffset` is that of the last character, not of the one after it.
  private static func position(
    _ place: RuleWarning.Place, file: String?, starts: [Int]
  ) -> JSON {
    let start = starts.indices.contains(place.line - 1) ? starts[place.line - 1] : 0
    let offset = start + place.column - 1
    var members = JSONObject()
    if let file { members["fileName"] = .string(file) }
    members["line"] = .int(Int64(place.line))
    members["column"] = .int(Int64(place.column))
    members["currentOffset"] = .int(Int64(offset))
    members["endOffset"] = .int(Int64(offset + max(place.length - 1, 0)))
    return .object(members)
  }

  private static func issue(_ place: JSON, description: String, severity: String) -> JSON {
    .members([
      "sourcePosition": place, "description": .string(description),
      "severity": .string(severity),
    ])
  }
}

extension String {
  /// The offset of each line, in Unicode scalars as columns are.
  package var lineStarts: [Int] {
    var starts = [0]
    for (offset, scalar) in unicodeScalars.enumerated() where scalar == "\n" {
      starts.append(offset + 1)
    }
    return starts
  }
}
