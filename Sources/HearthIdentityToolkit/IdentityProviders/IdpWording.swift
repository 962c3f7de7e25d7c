import HearthOperations
import HearthWire

/// How an answer tells of a provider, where the two programs tell it differently.
protocol IdpWording: Sendable {
  /// Whether an address in an assertion of SAML counts as verified wherever it is.
  var takesSamlForVerified: Bool { get }
  /// Whether two absent addresses count as equal.
  var comparesAbsentEmails: Bool { get }
  var context: String? { get }
  var accessToken: String? { get }
  var idToken: String? { get }
  var pendingToken: String? { get }
  /// The pending token of an answer to who cannot sign in now.
  var conflictToken: String? { get }

  func federatedId(of rawId: String) -> String
}

/// The wording of production is another one for providers that a project configures itself.
func idpWording(
  for credential: IdpCredential, as answers: Switches.Program
) -> any IdpWording {
  let id = credential.providerId
  return switch answers {
  case .production where id.hasPrefix("oidc.") || id.hasPrefix("saml."):
    ConfiguredIdpWording(credential: credential)
  case .emulator, .production: UsualIdpWording(credential: credential)
  }
}

extension IdpCredential {
  fileprivate var isSaml: Bool { providerId.hasPrefix("saml.") }

  /// The access token; a made-up one where there is none.
  var namedAccessToken: String {
    accessToken ?? "FirebaseAuthEmulatorFakeAccessToken_\(providerId)"
  }
}

private struct UsualIdpWording: IdpWording {
  let credential: IdpCredential

  var takesSamlForVerified: Bool { true }
  // Observed: nothing is said of them then.
  var comparesAbsentEmails: Bool { true }
  var context: String? { "" }
  var accessToken: String? { credential.namedAccessToken }
  var idToken: String? { credential.idToken }
  var pendingToken: String? { nil }
  var conflictToken: String? { credential.isSaml ? credential.pendingToken : nil }

  func federatedId(of rawId: String) -> String {
    if let answer = credential.answer { return answer.federatedId }
    return credential.providerId == "google.com" ? "https://accounts.google.com/\(rawId)" : rawId
  }
}

private struct ConfiguredIdpWording: IdpWording {
  let credential: IdpCredential

  var takesSamlForVerified: Bool { false }
  var comparesAbsentEmails: Bool { false }
  var context: String? { credential.isSaml ? "" : nil }
  var accessToken: String? { credential.accessToken }
  var idToken: String? { credential.isSaml ? nil : credential.idToken }
  var pendingToken: String? { credential.pendingToken }
  var conflictToken: String? { nil }

  func federatedId(of rawId: String) -> String { "\(credential.providerId)/\(rawId)" }
}
