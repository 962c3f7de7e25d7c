import HearthSQLite
import HearthTime

/// A search as a condition on the table `messages`.
extension MailSearch {
  typealias SQL = (sql: String, arguments: Arguments)

  func condition(at now: Timestamp) -> SQL {
    var sql = ""
    var arguments: Arguments = []
    for term in terms {
      let part = term.condition.sql(at: now)
      // A condition about what a message lacks is NULL.
      sql += term.isExcluded ? " AND NOT coalesce(\(part.sql), 0)" : " AND \(part.sql)"
      arguments += part.arguments
    }
    return (sql, arguments)
  }
}

extension MailSearch.Condition {
  fileprivate func sql(at now: Timestamp) -> MailSearch.SQL {
    switch self {
    case .words(let text):
      Self.containing(
        text,
        columns: [
          "subject", "sender", "sender_name", "recipient", "text", "tags",
          Self.detail("recipients"),
          Self.detail("attachments"),
        ])
    case .text(let field, let text): Self.field(field, text: text)
    case .tag(let tag):
      ("EXISTS (SELECT 1 FROM json_each(tags) WHERE lower(value) = lower(?))", [tag])
    case .source(let source):
      source == Message.ownSource ? ("source IS NULL", []) : ("source IS ?", [source])
    case .type(let type): ("type = ?", [type])
    case .state(let state): state.sql(at: now)
    case .delivery(let state):
      ("coalesce(json_extract(delivery, '$.state'), 'delivered') = ?", [state.rawValue])
    case .read(let isRead): ("is_read = ?", [isRead])
    case .tagged: ("tags IS NOT NULL", [])
    case .has(let part): (Self.has(part), [])
    case .after(let time): ("created_at >= ?", [time.milliseconds])
    case .before(let time): ("created_at < ?", [time.milliseconds])
    case .larger(let size): ("\(Self.size) > ?", [size])
    case .smaller(let size): ("\(Self.size) < ?", [size])
    }
  }

  private static let size = """
    coalesce((SELECT size FROM mails WHERE message = messages.id), \
    length(CAST(text AS BLOB)) + length(CAST(html AS BLOB)))
    """

  private static func has(_ part: MailSearch.Part) -> String {
    switch part {
    case .attachment: "json_array_length(\(detail("attachments"))) > 0"
    case .code: "code IS NOT NULL"
    case .link: "link IS NOT NULL"
    }
  }

  private static func field(_ field: MailSearch.Field, text: String) -> MailSearch.SQL {
    switch field {
    case .from: return containing(text, columns: ["sender", "sender_name"])
    case .subject: return containing(text, columns: ["subject"])
    case .code: return containing(text, columns: ["code", detail("codes")])
    case .link: return containing(text, columns: ["link", detail("links")])
    case .to:
      let own = "CASE WHEN source IS NULL THEN recipient END"
      return containing(text, columns: [own, detail("recipients.to")])
    case .cc, .bcc: return containing(text, columns: [detail("recipients.\(field.rawValue)")])
    }
  }

  /// A member of what is kept of mails of apps, as JSON. NULL for other messages.
  private static func detail(_ path: String) -> String {
    """
    CASE WHEN source IS NOT NULL THEN \
    (SELECT json_extract(details, '$.\(path)') FROM mails WHERE message = messages.id) END
    """
  }

  /// SQLite takes upper and lower case for the same in ASCII only. So each form is looked for.
  private static func containing(_ text: String, columns: [String]) -> MailSearch.SQL {
    var forms = [text]
    if !text.utf8.allSatisfy({ $0 < 0x80 }) {
      for form in [text.lowercased(), text.uppercased()] where !forms.contains(form) {
        forms.append(form)
      }
    }
    var conditions: [String] = []
    var arguments: Arguments = []
    for column in columns {
      for form in forms {
        conditions.append("\(column) LIKE ? ESCAPE '\\'")
        arguments += [pattern(form)]
      }
    }
    return ("(" + conditions.joined(separator: " OR ") + ")", arguments)
  }

  private static func pattern(_ text: String) -> String {
    var pattern = "%"
    for character in text.unicodeScalars {
      if character == "%" || character == "_" || character == "\\" { pattern += "\\" }
      pattern.unicodeScalars.append(character)
    }
    return pattern + "%"
  }
}

extension Message.State {
  func sql(at now: Timestamp) -> MailSearch.SQL {
    switch self {
    case .pending:
      (
        "(used_at IS NULL AND (expires_at IS NULL OR expires_at > ?))", [now.milliseconds]
      )
    case .used: ("used_at IS NOT NULL", [])
    case .expired: ("(used_at IS NULL AND expires_at <= ?)", [now.milliseconds])
    }
  }
}
