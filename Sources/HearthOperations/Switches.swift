import HearthLimits

/// Where the official emulator and production part ways, each a value of a project.
package struct Switches: Sendable, Equatable {
  /// E-mail enumeration protection: do not tell whether an address is known.
  package var emailEnumerationProtection: Bool
  /// Whether unsigned ID and custom tokens are taken.
  package var acceptUnsignedTokens: Bool
  /// Whether `exp` of the tokens and cookies that we signed is checked.
  package var tokenExpiry: Bool
  /// Whether out-of-band codes expire.
  package var codeExpiry: Bool
  package var rateLimits: Bool
  package var recentLogin: Bool
  package var authorizedDomains: Bool
  package var strictTenants: Bool
  /// Whether a provider that nobody configured is refused.
  package var strictProviders: Bool
  /// Whether a push message to a token that nobody registered is refused.
  package var strictDevices = false
  /// Whether `prompt=none` with a `login_hint` signs in somebody who has no session.
  package var silentProviders = false
  /// Whether sign-ins with providers go by the pages of those that live here.
  package var providerPages = false
  /// Lifetime of a password-reset code, in seconds.
  package var passwordResetCodeLifetime: Int64 = 3600
  /// Lifetime of a verification or e-mail-change code, in seconds.
  package var verificationCodeLifetime: Int64 = 3 * 24 * 3600
  /// Lifetime of a sign-in link, in seconds.
  package var emailLinkCodeLifetime: Int64 = 6 * 3600
  /// Lifetime of a code in a text message, in seconds.
  package var smsCodeLifetime: Int64 = 600
  /// Wrong passwords of one account within the window before it is shut.
  package var wrongPasswordLimit = Int64(Limit.wrongPasswords.value)
  /// Password-reset mails to one account within the window.
  package var passwordResetLimit = Int64(Limit.resetMails.value)
  /// Accounts that an IP address makes in an hour.
  package var signUpLimit = Int64(Limit.signUps.value)
  /// The window in which attempts are counted, in seconds.
  package var rateLimitWindow = Int64(Limit.attemptsWindow.value)

  /// What mails and pages call the app; the project's id where it is empty.
  package var appName = ""

  /// How read-write transactions of Firestore keep out of each other's way.
  package var transactions = TransactionMode.emulator

  package enum TransactionMode: String, Sendable, CaseIterable {
    /// As the official emulator: reads share locks, and writes wait for them for two seconds.
    case emulator
    /// As production does for servers: a transaction locks what it reads until it ends.
    case pessimistic
    /// No locks; a commit fails when something that was read has changed.
    case optimistic
  }

  /// Whose answers are given where recordings of production and the official emulator disagree.
  package var answers = Program.emulator
  /// Whose limits Firestore has.
  package var limits = Program.emulator
  /// What happens to a query that needs an index that the project does not have.
  package var indexes = IndexMode.off
  /// When documents are deleted whose time to live has passed.
  package var timeToLive = TimeToLive.immediate
  /// Seconds between the end of a document's life and its deletion, where that is delayed.
  package var timeToLiveDelay: Int64 = 24 * 3600

  /// What becomes of calls of Auth without a token of App Check that counts.
  package var appCheckAuth = Enforcement.off
  /// The same for Firestore.
  package var appCheckFirestore = Enforcement.off
  /// Whether Auth takes a limited-use token of App Check once only.
  package var appCheckReplay = Enforcement.off
  /// How attestations of apps end.
  package var appCheckAttestation = Attestation.accept

  package enum Enforcement: String, Sendable, CaseIterable {
    /// Nothing is looked at.
    case off
    /// The call is answered, and counted in the report.
    case monitor
    /// The call is refused, as in production.
    case enforce
  }

  package enum Attestation: String, Sendable, CaseIterable {
    /// Every attestation and every debug secret counts.
    case accept
    /// Debug secrets and providers have to be registered for the app.
    case registered
    case refuse, quota
    /// As `accept`, a few seconds later.
    case slow
  }

  package enum Program: String, Sendable, CaseIterable {
    case emulator, production
  }

  package enum IndexMode: String, Sendable, CaseIterable {
    /// Nothing is judged.
    case off
    /// The query is answered, and reported once for each shape.
    case warn
    /// The query is refused, as production does.
    case enforce
  }

  package enum TimeToLive: String, Sendable, CaseIterable {
    /// As soon as the project's clock passes the end of its life.
    case immediate
    /// `timeToLiveDelay` seconds later, as in production.
    case delayed
    case never
  }

  /// The presets that `--profile` chooses from.
  package enum Profile: String, Sendable, CaseIterable {
    case emulator
    case production

    package var switches: Switches {
      let strict = self == .production
      var switches = Switches(
        emailEnumerationProtection: strict, acceptUnsignedTokens: !strict, tokenExpiry: true,
        codeExpiry: true, rateLimits: strict, recentLogin: strict, authorizedDomains: strict,
        strictTenants: strict, strictProviders: false)
      switches.answers = strict ? .production : .emulator
      switches.limits = strict ? .production : .emulator
      switches.indexes = strict ? .enforce : .off
      switches.appCheckAttestation = strict ? .registered : .accept
      // All clients of a local server share an address: at production's number, how many tests ran
      // within the hour would decide whether the next one passes.
      if strict { switches.signUpLimit = 1_000_000 }
      return switches
    }
  }
}
