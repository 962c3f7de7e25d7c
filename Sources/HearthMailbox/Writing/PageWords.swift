/// The words of the pages that links open, in one language. `{…}` marks what differs.
package struct PageWords: Sendable {
  /// A page that says one thing: its heading and a sentence or two.
  package struct Notice: Sendable {
    package let title: String
    package let message: String

    init(_ words: Words) {
      title = words["title"]
      message = words["message"]
    }
  }

  /// What a password must be like.
  package struct PasswordRules: Sendable {
    package let heading: String
    /// `{count}` is the number of characters, here and below.
    package let atLeast: String
    package let atMost: String
    package let lowercase: String
    package let uppercase: String
    package let digit: String
    package let symbol: String
    /// `{rules}` are those that are not met.
    package let missing: String
    package let met: String
    package let refused: String
    /// What is between the rules of a list.
    package let separator: String

    init(_ words: Words) {
      heading = words["heading"]
      atLeast = words["atLeast"]
      atMost = words["atMost"]
      lowercase = words["lowercase"]
      uppercase = words["uppercase"]
      digit = words["digit"]
      symbol = words["symbol"]
      missing = words["missing"]
      met = words["met"]
      refused = words["refused"]
      separator = words.optional("separator") ?? ", "
    }
  }

  package let choosePassword: String
  /// The page's title when the last attempt was refused.
  package let choosePasswordAgain: String
  package let email: String
  package let newPassword: String
  package let savePassword: String
  package let onward: String
  package let failed: String
  /// `{email}` is the account's address, here and below.
  package let passwordChanged: Notice
  package let emailVerified: Notice
  package let emailChanged: Notice
  package let emailRestored: Notice
  package let codeExpired: Notice
  package let codeInvalid: Notice
  /// `{name}` is the parameter's name, here and below.
  package let missingParameter: Notice
  package let missingContinueURL: Notice
  package let showPassword: String
  package let passwordRules: PasswordRules
  package let openInApp: String
  /// `{url}` is the address, here and below.
  package let opensAddress: String
  package let continueInBrowser: String
  package let unsafeAddress: String
  package let codeUsed: Notice
  package let emailTaken: Notice
  /// A link to sign in, where an app takes over.
  package let signIn: Notice

  init(_ words: Words) {
    choosePassword = words["choosePassword"]
    choosePasswordAgain = words["choosePasswordAgain"]
    email = words["email"]
    newPassword = words["newPassword"]
    savePassword = words["savePassword"]
    onward = words["onward"]
    failed = words["failed"]
    passwordChanged = Notice(words.part("passwordChanged"))
    emailVerified = Notice(words.part("emailVerified"))
    emailChanged = Notice(words.part("emailChanged"))
    emailRestored = Notice(words.part("emailRestored"))
    codeExpired = Notice(words.part("codeExpired"))
    codeInvalid = Notice(words.part("codeInvalid"))
    missingParameter = Notice(words.part("missingParameter"))
    missingContinueURL = Notice(words.part("missingContinueURL"))
    showPassword = words["showPassword"]
    passwordRules = PasswordRules(words.part("passwordRules"))
    openInApp = words["openInApp"]
    opensAddress = words["opensAddress"]
    continueInBrowser = words["continueInBrowser"]
    unsafeAddress = words["unsafeAddress"]
    codeUsed = Notice(words.part("codeUsed"))
    emailTaken = Notice(words.part("emailTaken"))
    signIn = Notice(words.part("signIn"))
  }
}
