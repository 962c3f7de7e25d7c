import HearthWire

/// A language: the words of the mails, of the pages that their links open, of the provider's page, and of
/// the mailbox as a page.
///
/// The words are trusted: those of mails go into HTML as they are. It is a class so that handing it on
/// copies one reference, and not a hundred strings: each mail does so.
package final class Language: Sendable {
  /// BCP 47.
  package let tag: String
  package let isRightToLeft: Bool
  let mails: MailWords
  package let pages: PageWords
  package let provider: ProviderWords
  let mailbox: MailboxWords

  init(_ words: Words) {
    tag = words["tag"]
    isRightToLeft = words.flag("isRightToLeft")
    mails = MailWords(words.part("mails"))
    pages = PageWords(words.part("pages"))
    provider = ProviderWords(words.part("provider"))
    mailbox = MailboxWords(words.part("mailbox"))
  }

  private convenience init(file text: String) { self.init(Words(file: text)) }
}

extension Language {
  static let english = Language(file: WebFiles.`languages/en.json`)
  private static let hebrew = Language(file: WebFiles.`languages/he.json`)

  /// Those that the console offers, in its order. Each is read once, when any of them is asked for.
  package static let all: [Language] =
    [english]
    + [
      WebFiles.`languages/de.json`, WebFiles.`languages/fr.json`, WebFiles.`languages/es.json`,
      WebFiles.`languages/it.json`, WebFiles.`languages/pt-BR.json`,
      WebFiles.`languages/ja.json`, WebFiles.`languages/zh-CN.json`, WebFiles.`languages/ar.json`,
    ].map(Language.init(file:)) + [hebrew]

  private static let byPrimaryTag: [String: Language] = {
    var languages = Dictionary(
      all.map { (primaryTag(of: $0.tag), $0) }, uniquingKeysWith: { first, _ in first })
    // Java, and so Android, has long used the withdrawn code of Hebrew.
    languages["iw"] = .hebrew
    return languages
  }()

  /// The language of a locale such as `de-AT` or `pt_BR`; English for other languages.
  package static func best(for locale: String?) -> Language {
    locale.flatMap(spoken) ?? .english
  }

  /// The language of a page: that of its link, else the one that the browser prefers.
  ///
  /// A link that names a language without words here has a mail in English, and so a page.
  package static func best(for tag: String?, orAccepted wishes: String?) -> Language {
    if let tag, !tag.isEmpty { return best(for: tag) }
    return wishes.flatMap(accepted) ?? .english
  }

  /// The first language of an `Accept-Language` header that has words here.
  private static func accepted(_ wishes: String) -> Language? {
    var best: (language: Language, quality: Double)?
    for wish in wishes.prefix(500).split(separator: ",") {
      let pieces = wish.split(separator: ";").map { $0.filter { $0 != " " } }
      guard let language = pieces.first.flatMap(spoken) else { continue }
      let quality =
        pieces.first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
      if quality > best?.quality ?? 0 { best = (language, quality) }
    }
    return best?.language
  }

  private static func spoken(_ locale: String) -> Language? { byPrimaryTag[primaryTag(of: locale)] }

  private static func primaryTag(of locale: String) -> String {
    let letters = locale.utf8.prefix(while: \.isASCIILetter)
    return String(decoding: letters.prefix(8), as: UTF8.self).lowercased()
  }
}
