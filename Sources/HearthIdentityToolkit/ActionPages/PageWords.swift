/// The words of the pages of `/emulator/action` in one language. `{…}` marks what differs.
package struct PageWords: Sendable {
  /// A page that says one thing: its heading and a sentence or two.
  struct Notice: Sendable {
    let title: String
    let message: String
  }

  /// BCP 47.
  let tag: String
  let choosePassword: String
  /// The page's title when the last attempt was refused.
  let choosePasswordAgain: String
  let email: String
  let newPassword: String
  /// `{count}` is the number of characters.
  let passwordLength: String
  let savePassword: String
  let onward: String
  let failed: String
  /// `{email}` is the account's address, here and below.
  let passwordChanged: Notice
  let emailVerified: Notice
  let emailChanged: Notice
  let emailRestored: Notice
  let codeExpired: Notice
  let codeInvalid: Notice
  /// `{name}` is the parameter's name.
  let missingParameter: Notice
  let missingContinueURL: Notice
}

extension PageWords {
  func length(_ count: Int) -> String {
    passwordLength.replacing("{count}", with: String(count))
  }

  static let all: [PageWords] = [
    .english, .german, .french, .spanish, .italian, .brazilianPortuguese, .japanese,
    .simplifiedChinese,
  ]

  /// The words for a language such as `de-AT` or `pt_BR`; English for those that are not here.
  package static func best(for language: String?) -> PageWords {
    let primary = primaryTag(language ?? "")
    return all.first { primaryTag($0.tag) == primary } ?? .english
  }

  private static func primaryTag(_ tag: String) -> String {
    tag.prefix { $0 != "-" && $0 != "_" }.lowercased()
  }
}
