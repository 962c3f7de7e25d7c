/// The words of all mails in one language. The words are trusted: they go into HTML as they are.
struct Language: Sendable {
  /// BCP 47.
  let tag: String
  let greeting: Phrase
  let copyHint: Phrase
  let signature: Phrase
  let passwordReset: Wording
  let verifyEmail: Wording
  let emailSignIn: Wording
  let verifyAndChangeEmail: Wording
  let recoverEmail: Wording

  /// The words of one type of mail, in the order in which they stand in it.
  struct Wording: Sendable {
    let subject: Phrase
    /// What the link does; the link follows.
    let message: Phrase
    let button: Phrase
    /// What to do if one did not ask for it.
    let disregard: Phrase
  }

  func wording(of type: MailType) -> Wording {
    switch type {
    case .passwordReset: passwordReset
    case .verifyEmail: verifyEmail
    case .emailSignIn: emailSignIn
    case .verifyAndChangeEmail: verifyAndChangeEmail
    case .recoverEmail: recoverEmail
    }
  }
}

extension Language {
  static let all: [Language] = [
    .english, .german, .french, .spanish, .italian, .brazilianPortuguese, .japanese,
    .simplifiedChinese,
  ]

  private static let byPrimaryTag = Dictionary(
    all.map { (primaryTag(of: $0.tag), $0) }, uniquingKeysWith: { first, _ in first })

  /// The language of a locale such as `de-AT` or `pt_BR`; English when it is not spoken here.
  static func best(for locale: String?) -> Language {
    guard let locale else { return .english }
    return byPrimaryTag[primaryTag(of: locale)] ?? .english
  }

  private static func primaryTag(of locale: String) -> String {
    let letters = locale.utf8.prefix { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
    return String(decoding: letters.prefix(8), as: UTF8.self).lowercased()
  }
}
