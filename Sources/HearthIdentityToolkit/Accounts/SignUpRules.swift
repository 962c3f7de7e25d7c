import HearthErrors
import HearthOperations
import HearthTime
import HearthWire

/// How an account is made, where the two programs do it differently.
protocol SignUpRules: Sendable {
  /// What an answer to an administrator has in the place of an address.
  var absentEmail: String? { get }
  /// Whether an answer that asks for a second factor says if the account is new.
  var tellsNewBeforeSecondFactor: Bool { get }

  func localId(of request: SignUp.Request) -> String?
  func newUser(_ localId: String, tenantId: String?, context: Context) -> User
  func refuseEmptyEmail() throws(APIError)
  /// Settles what is said of an address that there is not.
  func forgetFlag(of user: inout User)
  /// The display name in an answer to an administrator.
  func answeredName(of user: User) -> String?
}

extension ProjectTransaction {
  func signUpRules() throws(APIError) -> any SignUpRules {
    switch try answers {
    case .emulator: LooseSignUp()
    case .production: StrictSignUp()
    }
  }
}

/// As the official emulator does it.
struct LooseSignUp: SignUpRules {
  var absentEmail: String? { nil }
  var tellsNewBeforeSecondFactor: Bool { true }

  func localId(of request: SignUp.Request) -> String? { request.localId.nonEmpty }

  func newUser(_ localId: String, tenantId: String?, context: Context) -> User {
    .new(localId, tenantId: tenantId, context: context)
  }

  func refuseEmptyEmail() {}

  func forgetFlag(of user: inout User) {}

  func answeredName(of user: User) -> String? { user.displayName }
}

/// As production does it for administrators.
private struct StrictSignUp: SignUpRules {
  var absentEmail: String? { "" }
  var tellsNewBeforeSecondFactor: Bool { false }

  // Observed: an empty id is one.
  func localId(of request: SignUp.Request) -> String? { request.localId }

  func newUser(_ localId: String, tenantId: String?, context: Context) -> User {
    .madeByAdministrator(localId, tenantId: tenantId, context: context)
  }

  func refuseEmptyEmail() throws(APIError) { throw APIError(.missingEmail) }

  func forgetFlag(of user: inout User) { user.emailVerified = .unset }

  func answeredName(of user: User) -> String? { nil }
}
