import HearthErrors
import HearthOperations

/// What an import takes, where the two programs take different things.
protocol ImportRules: Sendable {
  /// Whether an address may be that of several accounts, where nobody asks for a check.
  var repeatsEmails: Bool { get }
  /// Whether authenticator apps are refused, and not passed over.
  var refusesApps: Bool { get }
  /// Whether a second factor shows its number once.
  var showsOneNumber: Bool { get }

  func phoneNumber(_ text: String) -> PhoneNumber?
  /// What a provider has as `federatedId`.
  func federatedId(of provider: ProviderUserInfo) -> String?
}

extension ProjectTransaction {
  func importRules() throws(APIError) -> any ImportRules {
    switch try answers {
    case .emulator: LooseImport()
    case .production: StrictImport()
    }
  }
}

/// As the official emulator does it.
private struct LooseImport: ImportRules {
  var repeatsEmails: Bool { false }
  var refusesApps: Bool { false }
  var showsOneNumber: Bool { false }

  func phoneNumber(_ text: String) -> PhoneNumber? {
    text.contains(where: \.isLetter) ? nil : PhoneNumber(text)
  }

  func federatedId(of provider: ProviderUserInfo) -> String? { provider.federatedId }
}

/// As production does it.
private struct StrictImport: ImportRules {
  var repeatsEmails: Bool { true }
  var refusesApps: Bool { true }
  var showsOneNumber: Bool { true }

  func phoneNumber(_ text: String) -> PhoneNumber? { PhoneNumber(normalizing: text) }

  func federatedId(of provider: ProviderUserInfo) -> String? {
    provider.federatedId ?? provider.rawId
  }
}
