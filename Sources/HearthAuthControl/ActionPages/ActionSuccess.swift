import HearthIdentityToolkit
import HearthMailbox
import HearthPages
import HearthWire

/// What an action link has done to an account.
enum ActionSuccess {
  case emailVerified(String?)
  case emailChanged(to: String?)
  case emailRestored(String?)
  case passwordChanged(String)

  /// Whose account it is.
  var email: String? {
    switch self {
    case .emailVerified(let email), .emailChanged(let email), .emailRestored(let email): email
    case .passwordChanged(let email): email
    }
  }

  /// What programs get.
  var json: JSON {
    switch self {
    case .emailVerified(let email):
      .members(["success": "The e-mail address has been verified.", "email": email.json])
    case .emailChanged(let newEmail):
      .members(["success": "The e-mail address has been changed.", "newEmail": newEmail.json])
    case .emailRestored(let email):
      .members(["success": "The e-mail address has been restored.", "email": email.json])
    case .passwordChanged(let email):
      .members(["success": "The password has been changed.", "email": .string(email)])
    }
  }

  /// What a person sees, with links to go on with.
  func html(_ page: ActionPage, onward: [OnwardAddress] = []) -> String {
    let notice =
      switch self {
      case .emailVerified: page.words.emailVerified
      case .emailChanged: page.words.emailChanged
      case .emailRestored: page.words.emailRestored
      case .passwordChanged: page.words.passwordChanged
      }
    return page.done(notice, email: email ?? "", onward: onward)
  }
}
