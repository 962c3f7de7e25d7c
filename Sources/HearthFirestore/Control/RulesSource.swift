import HearthCrypto
package import HearthErrors
package import HearthFirestoreRules
package import HearthWire

/// Where the rules of a database come from, for an editor that must not overwrite what it has not
/// seen.
extension Firestore {
  /// `{"source": "set", "revision": "…", "rules": {"files": […]}, "issues": […], "inherited": {…}}`.
  ///
  /// The source is `set` for rules that came over an endpoint, `project` for those of the project,
  /// `file` for those of a file, which is followed, and `none`. `inherited` has the rules that would
  /// hold without those that were set. `issues` are the warnings of rules that have some.
  package func rulesSource(of database: DatabaseName) -> JSON {
    let found = rules.source(of: database)
    let inherited: JSON =
      found.inherited == nil ? "none" : found.isOfProject ? "project" : "file"
    var object = JSONObject(["source": found.own == nil ? inherited : "set"])
    for member in Self.described(found.own ?? found.inherited) {
      object[member.key] = member.value
    }
    if found.own != nil {
      object["inherited"] = .object(
        JSONObject(members: [("source", inherited)] + Self.described(found.inherited)))
    }
    return .object(object)
  }

  private static func described(_ ruleset: Ruleset?) -> [(key: String, value: JSON)] {
    guard let ruleset else { return [("revision", .string(revision(of: nil)))] }
    return [
      ("revision", .string(revision(of: ruleset))), ("rules", files(ruleset.parts.map(\.file))),
    ] + (issues(of: ruleset).object?.members ?? []).map { ($0.key, $0.value) }
  }

  /// Other rules have another one.
  private static func revision(of ruleset: Ruleset?) -> String {
    guard let ruleset else { return "none" }
    return rulesRevision(of: ruleset.parts.map(\.file))
  }

  /// The revision that rules of these files have.
  package static func rulesRevision(of files: [RuleFile]) -> String {
    let text = files.map { "\($0.name ?? "")\u{0}\($0.content)" }.joined(separator: "\u{0}")
    return String(Base64.encode(Digest.sha256.hash(Array(text.utf8))).prefix(22))
  }

  /// Sets rules as ``setSecurityRules(of:_:)`` does, but only where those that hold have the
  /// revision.
  ///
  /// - Throws: INVALID_ARGUMENT with the place of a mistake; ABORTED if other rules hold by now.
  package func setRules(
    of database: DatabaseName, _ body: JSON, inPlaceOf revision: String?
  ) throws(APIError) {
    let ruleset = try Self.ruleset(body)
    let isSet = rules.set(ruleset, of: database) { current in
      revision == nil || Self.revision(of: current) == revision
    }
    guard isSet else {
      throw APIError(
        .aborted, message: "The rules have changed since they were read. Read them again.")
    }
  }

  /// Whether a call had a line of the rules of a database evaluated that hold now, since their counts
  /// began.
  package func hasEvaluated(
    line: Int, of database: DatabaseName, in evaluated: EvaluatedLines
  ) -> Bool {
    rules.ruleset(of: database, as: ruleAnswers(of: database.project))
      .map { evaluated.has(line, of: $0) } ?? false
  }

  /// Takes away the rules that were set for a database, and for `(default)` those of its project.
  package func removeRules(of database: DatabaseName) { rules.remove(of: database) }

  /// Lets the counts of the rules that hold begin at zero.
  package func resetRuleCoverage(of database: DatabaseName) {
    rules.ruleset(of: database)?.resetCoverage()
  }
}
