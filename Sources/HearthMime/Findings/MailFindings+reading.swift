extension MailFindings {
  /// Looks through a mail. The first rule that matches it wins over what this finds by itself.
  /// Rules that match a recipient see those that the transport named, too.
  package init(of mail: MimeMessage, recipients: [String] = [], rules: [MailRule] = []) {
    self.init(subject: mail.subject, text: mail.text, html: mail.html)
    guard !rules.isEmpty else { return }
    let addresses = (mail.to + mail.cc + mail.bcc).map(\.address) + recipients
    let senders = mail.from.flatMap { [$0.address, $0.name ?? ""] }
    let rule = rules.first { $0.matches(from: senders, to: addresses, subject: mail.subject) }
    if let rule { apply(rule, to: mail) }
  }

  package init(subject: String, text: String?, html: String?) {
    self.init()
    let page = html.map { VisibleHTML($0) }
    let content = MailContent(subject: subject, text: text, page: page)
    var codes = CodeSearch(content).candidates
    var links = LinkSearch(content, page: page)
    self.links = links.all
    kind = MailKind.of(
      content, link: links.best, hasCode: codes.first.map { $0.score >= CodeSearch.least } ?? false)
    if MailKind.isReport(content) {
      // "Your password was changed": its links are for those who did not do it.
      kind = .none
      for index in codes.indices { codes[index].lower(by: 5, "the mail reports what was done") }
      links.dismiss("the mail reports what was done")
    }
    self.codes = codes.filter { $0.score > 0 }.map(\.value)
    code = codes.first.flatMap { $0.score >= CodeSearch.least ? $0.value : nil }
    if let best = links.best {
      link = best.href
      linkToken = LinkToken.find(in: best.href)
    }
    if code == nil && link == nil { kind = .none }
    if kind != .none { expiresIn = StatedLifetime.find(in: content) }
    candidates = Self.listed(codes, links: links)
  }

  private static let mostCandidates = 20

  private static func listed(_ codes: [CodeCandidate], links: LinkSearch) -> [Candidate] {
    let codes = codes.prefix(mostCandidates / 2).map {
      Candidate(.code, value: $0.value, score: $0.score, reason: $0.reasons.joined(separator: ", "))
    }
    let links = links.ranked.prefix(mostCandidates / 2).map {
      Candidate(.link, value: $0.href, score: $0.score, reason: $0.reasons.joined(separator: ", "))
    }
    return codes + links
  }

  private mutating func apply(_ rule: MailRule, to mail: MimeMessage) {
    var text = [mail.subject, mail.text ?? ""]
    if let html = mail.html {
      let page = VisibleHTML(html)
      text += [page.text] + page.links.map(\.href)
    }
    let all = text.joined(separator: "\n")
    if let found = rule.code(in: all) {
      code = found
      codes = [found] + codes.filter { $0 != found }
      candidates.insert(
        Candidate(.code, value: found, score: 100, reason: "a rule of the project"), at: 0)
    }
    if let found = rule.link(in: all) {
      link = found
      linkToken = LinkToken.find(in: found)
      candidates.insert(
        Candidate(.link, value: found, score: 100, reason: "a rule of the project"), at: 0)
    }
    if kind == .none, code != nil || link != nil { kind = link == nil ? .otp : .magic }
  }
}
