package import HearthErrors
package import HearthMime
package import HearthOperations
import HearthSQLite
import HearthWire

/// What a project says about codes and links of its mails.
package enum GetMailRules: Operation {
  package static func run(
    _ request: NoFields, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    .json(["rules": .array(try Mailbox(in: project).storedMailRules())])
  }
}

/// Replaces the rules: `{"rules": [{"match": {"subject": "Your code"}, "code": "Code: (\\w+)"}]}`.
package enum ReplaceMailRules: Operation {
  package struct Request: OperationRequest {
    private static let most = 50

    let rules: [JSON]

    package init(_ wire: WireRequest) throws(APIError) {
      guard wire.body.keys == ["rules"], let rules = wire.array("rules"), rules.count <= Self.most
      else {
        throw APIError(
          .invalidArgument,
          detail: "the body must be {\"rules\": […]} with at most \(Self.most) rules")
      }
      for (index, rule) in rules.enumerated() { _ = try MailRule(rule, at: "/rules/\(index)") }
      self.rules = rules
    }
  }

  package static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    if request.rules.isEmpty {
      try project.transaction.execute(
        "DELETE FROM mail_rules WHERE project = ?", arguments: [project.projectId])
    } else {
      try project.transaction.execute(
        "INSERT OR REPLACE INTO mail_rules (project, rules) VALUES (?, ?)",
        arguments: [project.projectId, JSON.array(request.rules).text])
    }
    return .json(["rules": .array(request.rules)])
  }
}

extension Mailbox {
  /// The rules by which codes and links are found in the mails of this project.
  package func mailRules() throws(APIError) -> [MailRule] {
    try storedMailRules().compactMap { try? MailRule($0, at: "") }
  }

  fileprivate func storedMailRules() throws(APIError) -> [JSON] {
    try transaction.first(
      "SELECT rules FROM mail_rules WHERE project = ?", arguments: [projectId]
    ) { try JSON.parse($0[0] as String).array ?? [] } ?? []
  }
}

extension MailRule {
  /// Reads `{"match": {"from": …, "subject": …, "to": …}, "code": …, "link": …}`.
  fileprivate init(_ json: JSON, at path: String) throws(APIError) {
    guard let object = json.object else { throw Self.refusal("\(path) must be an object") }
    let match = object["match"]?.object ?? JSONObject()
    if let given = object["match"], given.object == nil {
      throw Self.refusal("\(path)/match must be an object")
    }
    let known = [
      ("", object, ["match", "code", "link"]), ("/match", match, ["from", "subject", "to"]),
    ]
    for (part, members, names) in known {
      for (name, value) in members.members where name != "match" || part != "" {
        guard names.contains(name) else {
          throw Self.refusal(
            "unknown member \(path)\(part)/\(name); known are \(names.joined(separator: ", "))")
        }
        guard let text = value.string, text.utf8.count <= 1000 else {
          throw Self.refusal("\(path)\(part)/\(name) must be a string of at most 1000 bytes")
        }
      }
    }
    guard object["code"] != nil || object["link"] != nil else {
      throw Self.refusal("\(path) needs \"code\" or \"link\"")
    }
    do throws(MailRuleError) {
      try self.init(
        from: match["from"]?.string, subject: match["subject"]?.string, to: match["to"]?.string,
        code: object["code"]?.string, link: object["link"]?.string)
    } catch {
      throw Self.refusal("\(path): \(error.reason)")
    }
  }

  private static func refusal(_ words: String) -> APIError {
    APIError(.invalidArgument, detail: words)
  }
}
