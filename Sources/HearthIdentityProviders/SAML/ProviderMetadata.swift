import HearthOperations
import HearthSAML
import HearthTokens

/// How SAML's provider introduces itself: https://docs.oasis-open.org/security/saml/v2.0/saml-metadata-2.0-os.pdf
enum ProviderMetadata: ProviderOperation {
  static var needsKeys: Bool { true }
  static var speaksSAML: Bool { true }

  static func answer(_ call: ProviderCall) -> Outcome {
    let text = SAMLMetadata.text(
      entityId: call.addresses[.metadata], singleSignOn: call.addresses[.sso],
      keys: call.keys.allIfReady())
    return .answer(
      Answer(status: 200, body: .text(text, contentType: "application/samlmetadata+xml")))
  }
}
