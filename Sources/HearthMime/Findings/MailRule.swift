import HearthRegex

/// How a project finds code and link in mails of its own.
package struct MailRule: Sendable, Equatable {
  /// What the address or name of the sender contains. `*` is any text.
  package var from: String?
  package var subject: String?
  package var to: String?
  /// A regular expression in RE2's syntax. Its first group, or all of it, is the code.
  package var code: String?
  package var link: String?

  /// Refuses expressions that cannot be read.
  package init(
    from: String? = nil, subject: String? = nil, to: String? = nil, code: String? = nil,
    link: String? = nil
  ) throws(MailRuleError) {
    self.from = from
    self.subject = subject
    self.to = to
    self.code = code
    self.link = link
    for pattern in [code, link].compactMap(\.self) {
      do { _ = try RegexPattern(pattern) } catch { throw MailRuleError(reason: error.description) }
    }
  }

  package func matches(from senders: [String], to recipients: [String], subject: String) -> Bool {
    (from.map { pattern in senders.contains { Self.contains($0, pattern: pattern) } } ?? true)
      && (to.map { pattern in recipients.contains { Self.contains($0, pattern: pattern) } } ?? true)
      && (self.subject.map { Self.contains(subject, pattern: $0) } ?? true)
  }

  /// Without regard to case.
  private static func contains(_ text: String, pattern: String) -> Bool {
    var rest = text.lowercased()[...]
    for piece in pattern.lowercased().split(separator: "*") {
      guard let range = rest.firstRange(of: piece) else { return false }
      rest = rest[range.upperBound...]
    }
    return true
  }

  private static let longest = 256 * 1024
  /// Units of ``RegexWork``: half a second for an expression.
  private static let mostWork = 5_000_000

  package func code(in text: String) -> String? { Self.first(code, in: text) }
  package func link(in text: String) -> String? { Self.first(link, in: text) }

  private static func first(_ pattern: String?, in text: String) -> String? {
    guard let pattern, let regex = try? RegexPattern(pattern) else { return nil }
    let text =
      text.utf8.count > longest
      ? String(decoding: text.utf8.prefix(longest), as: UTF8.self) : text
    var work = RegexWork(limit: mostWork)
    guard let groups = try? regex.firstMatch(in: text, &work) else { return nil }
    return groups.dropFirst().first.flatMap(\.self) ?? groups[0]
  }
}

package struct MailRuleError: Error, Equatable {
  package let reason: String
}
