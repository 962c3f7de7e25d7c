import HearthWire

/// A link of a mail, and what is around it.
struct LinkCandidate {
  var href: String
  var label: String
  /// The text before it.
  var before: String
  var score = 0.0
  var reasons: [String] = []
  var saysYes = false
  var hasToken = false

  mutating func raise(by points: Double, _ reason: String) {
    score += points
    reasons.append(reason)
  }
}

/// Finds the link of a mail that a person would follow.
struct LinkSearch {
  /// A link with fewer points is not the one.
  static let least = 4.0
  private static let most = 300

  /// In the order of the mail.
  private(set) var all: [String] = []
  /// The likeliest first.
  private(set) var ranked: [LinkCandidate] = []
  private(set) var best: LinkCandidate?

  init(_ content: MailContent, page: VisibleHTML?) {
    var links: [LinkCandidate] = []
    for link in page?.links ?? [] {
      links.append(LinkCandidate(href: link.href, label: link.label, before: link.before))
    }
    for (index, line) in content.rawLines.enumerated() where index > 0 && links.count < Self.most {
      let previous = index > 1 ? content.rawLines[index - 1] : ""
      links += Self.links(in: line, previous: previous)
    }
    let subject = content.lines.first?.scalars ?? []
    let isSubjectPositive = LinkVocabulary.positives.isIn(subject[...])
    var candidates: [LinkCandidate] = []
    var places: [String: Int] = [:]
    for link in links.prefix(Self.most) where Self.isLink(link.href) {
      let scored = Self.scored(link, isSubjectPositive: isSubjectPositive)
      if let place = places[link.href] {
        // A button and its address as text are one link.
        if scored.score > candidates[place].score { candidates[place] = scored }
      } else {
        places[link.href] = candidates.count
        candidates.append(scored)
      }
    }
    all = candidates.map(\.href)
    ranked = candidates.enumerated().sorted { first, second in
      first.element.score == second.element.score
        ? first.offset < second.offset : first.element.score > second.element.score
    }.map(\.element)
    best = ranked.first { $0.score >= Self.least && ($0.hasToken || isSubjectPositive) }
  }

  /// Takes the best link for none.
  mutating func dismiss(_ reason: String) {
    best = nil
    for index in ranked.indices { ranked[index].raise(by: -5, reason) }
  }

  // MARK: Links in text

  private static func links(in line: String, previous: String) -> [LinkCandidate] {
    guard line.utf8.contains(UInt8(ascii: ":")) else { return [] }
    let bytes = Array(line.utf8)
    var found: [LinkCandidate] = []
    var index = 0
    while index + 2 < bytes.count {
      guard bytes.hasBytes("://", at: index) || bytes.hasBytes("intent:", at: index) else {
        index += 1
        continue
      }
      var start = index
      while start > 0, isOfScheme(bytes[start - 1]) { start -= 1 }
      while start < index, !bytes[start].isASCIILetter { start += 1 }
      var end = index + 3
      while end < bytes.count, isOfURL(bytes[end]) { end += 1 }
      if start < index || bytes[index] != UInt8(ascii: ":") {
        let href = String(decoding: trimmed(bytes[start..<end]), as: UTF8.self)
        let before = String(decoding: bytes[..<start], as: UTF8.self).trimmedText
        found.append(
          LinkCandidate(
            href: href, label: "", before: isMark(before) ? previous : String(before.suffix(120))))
      }
      index = end
    }
    return found
  }

  private static func isMark(_ text: String) -> Bool { !text.contains { $0.isLetter } }

  private static func isOfScheme(_ byte: UInt8) -> Bool {
    byte.isASCIIAlphanumeric || "+-.".utf8.contains(byte)
  }

  private static func isOfURL(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte < 0x7F && !"<>\"`{}|\\^".utf8.contains(byte)
  }

  /// Without marks that end a sentence, and brackets that are not opened within it.
  private static func trimmed(_ url: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var marks = Array(".,;:!?'*_".utf8)
    // Nothing that is cut off opens one, so it is looked for once.
    if !url.contains(UInt8(ascii: "(")) { marks.append(UInt8(ascii: ")")) }
    if !url.contains(UInt8(ascii: "[")) { marks.append(UInt8(ascii: "]")) }
    let last = url.lastIndex { !marks.contains($0) }
    return last.map { url[...$0] } ?? []
  }

  private static let otherSchemes: Set<String> = [
    "mailto", "tel", "sms", "cid", "data", "javascript", "file", "about", "callto", "geo",
    "webcal", "blob", "whatsapp", "skype", "vbscript",
  ]

  static func scheme(_ href: String) -> String? {
    guard let colon = href.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let scheme = href.utf8[..<colon]
    guard let first = scheme.first, first.isASCIILetter, scheme.allSatisfy(isOfScheme) else {
      return nil
    }
    return String(href[..<colon]).lowercased()
  }

  private static func isLink(_ href: String) -> Bool {
    guard let scheme = scheme(href) else { return false }
    return !otherSchemes.contains(scheme) && href.utf8.count > scheme.utf8.count + 3
  }

  // MARK: Points

  private static let generic = Vocabulary(
    words: """
      click, click here, here, this link, link, continue, get started, open, go, button, next, \
      klicken, hier, weiter, link öffnen, ici, cliquez, cliquez ici, continuer, aquí, clic, haz clic, \
      continuar, aqui, clique, clique aqui, qui, clicca, clicca qui, continua, hier klicken, klik, \
      klik hier, tutaj, kliknij, buraya, tıklayın, сюда, здесь, нажмите, перейти, här, her, tästä, \
      اضغط, هنا, לחץ, כאן, यहां, đây
      """,
    anywhere: "こちら, クリック, リンク, 点击, 點擊, 这里, 此处, 链接, 여기, 클릭, 링크, ที่นี่")

  private static func scored(_ link: LinkCandidate, isSubjectPositive: Bool) -> LinkCandidate {
    var link = link
    let label = link.label.contains("://") ? "" : String(link.label.prefix(200))
    let isGeneric = label.isEmpty || generic.isIn(label)
    let parts = pathWords(link.href)
    if !label.isEmpty, LinkVocabulary.negatives.isIn(label) {
      link.raise(by: -5, "the label says something else")
    } else if LinkVocabulary.positives.isIn(label) {
      link.raise(by: 3, "the label says so")
      link.saysYes = true
    } else if isGeneric, LinkVocabulary.positives.isIn(String(link.before.suffix(120))) {
      link.raise(by: 3, "the words before it say so")
      link.saysYes = true
      if LinkVocabulary.negatives.isIn(String(link.before.suffix(120))) {
        link.raise(by: -3, "the words before it say something else, too")
      }
    } else if isGeneric, LinkVocabulary.negatives.isIn(String(link.before.suffix(60))) {
      link.raise(by: -5, "the words before it say something else")
    }
    if parts.contains(where: LinkVocabulary.goodPaths.contains) {
      link.raise(by: 2, "the path says so")
    }
    if parts.contains(where: LinkVocabulary.badPaths.contains) {
      link.raise(by: link.saysYes ? -1 : -5, "the path says something else")
    }
    link.hasToken = LinkToken.find(in: link.href) != nil
    if link.hasToken { link.raise(by: 2, "has a token") }
    if let scheme = scheme(link.href), !["http", "https"].contains(scheme) {
      link.raise(by: 1, "opens an app")
    }
    if isSubjectPositive, isGeneric, link.hasToken, !link.saysYes {
      link.raise(by: 2, "the subject says so")
    }
    return link
  }

  /// The words of the path and of the names and short values of the query, in lower case.
  private static func pathWords(_ href: String) -> [String] {
    let afterScheme = href.split(separator: "://", maxSplits: 1).last ?? ""
    let isWeb = ["http", "https"].contains(scheme(href) ?? "")
    let path = isWeb ? afterScheme.drop { $0 != "/" && $0 != "?" && $0 != "#" } : afterScheme
    return path.prefix(400).lowercased().split { !$0.isLetter }.map(String.init)
  }
}
