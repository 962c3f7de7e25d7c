import FirestoreRules
package import HearthCore

extension Firestore {
  /// Replaces the rules of a project, as test libraries do:
  /// `{"rules":{"files":[{"name":…,"content":…}]}}`.
  ///
  /// - Returns: the HTTP status, and what is wrong with the rules.
  package func setSecurityRules(
    of project: String, _ body: JSON
  ) -> (status: Int, answer: JSON) {
    let files = body["rules"]?["files"]?.array ?? []
    guard let content = files.first?["content"]?.string, files.count == 1 else {
      return (400, Self.issue(line: 1, column: 1, "rules.files must hold one file"))
    }
    do throws(RuleSyntaxError) {
      rules.set(try Ruleset(source: content), of: project)
      return (200, [:])
    } catch {
      // The old rules stay; who ignores errors reads the issues of a success.
      let ignores = (body["ignore_errors"] ?? body["ignoreErrors"])?.bool == true
      let issue = Self.issue(line: error.line, column: error.column, error.message)
      return (ignores ? 200 : 400, issue)
    }
  }

  private static func issue(line: Int, column: Int, _ description: String) -> JSON {
    .members([
      "issues": [
        .members([
          "sourcePosition": .members([
            "line": .int(Int64(line)), "column": .int(Int64(column)),
          ]),
          "severity": "ERROR",
          "description": .string(description),
        ])
      ]
    ])
  }
}
