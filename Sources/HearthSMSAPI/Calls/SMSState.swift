import HearthCrypto
import HearthTime
import HearthWire
import Synchronization

/// What the gateways remember between requests: texts that can be asked for, and verifications. It is
/// gone when the server ends, and bounded.
package final class SMSState: Sendable {
  struct Text: Sendable {
    let owner: SMSOwner
    let json: JSON
  }

  private struct Memory {
    var texts = RecentValues<Text>(most: 1_000)
    var verifications = RecentValues<Verification>(most: 2_000)
    var webhooks = RecentValues<BirdWebhook>(most: 100)
  }

  private let memory = Mutex(Memory())
  /// Whether subscriptions are listed, with the keys that sign their call-backs. All who know the name
  /// of a project may ask: not where several share the server.
  let listsSubscriptions: Bool

  package init(listsSubscriptions: Bool = true) { self.listsSubscriptions = listsSubscriptions }

  func text(_ id: String) -> Text? { memory.withLock { $0.texts[id] } }
  func setText(_ id: String, text: Text) { memory.withLock { $0.texts[id] = text } }

  func set(_ webhook: BirdWebhook?, id: String) { memory.withLock { $0.webhooks[id] = webhook } }

  /// From the oldest to the newest.
  func webhooks(where fits: (BirdWebhook) -> Bool) -> [BirdWebhook] {
    memory.withLock { memory in
      memory.webhooks.keys.compactMap { memory.webhooks[$0] }.filter(fits)
    }
  }

  func verification(_ id: String) -> Verification? { memory.withLock { $0.verifications[id] } }

  /// The newest that fits.
  func verification(where fits: (Verification) -> Bool) -> Verification? {
    memory.withLock { memory in
      for id in memory.verifications.keys.reversed() {
        if let verification = memory.verifications[id], fits(verification) { return verification }
      }
      return nil
    }
  }

  /// Notes that the code was sent, maybe once more.
  ///
  /// - Returns: the verification as it is now; a guess may have come meanwhile.
  @discardableResult
  func note(_ kept: SMSContext.Kept, of verification: Verification) -> Verification {
    memory.withLock { memory in
      var current = memory.verifications[verification.id] ?? verification
      current.channel = verification.channel
      current.steps = verification.steps
      current.kept.append(kept)
      memory.verifications[current.id] = current
      return current
    }
  }

  /// - Returns: the verification as it is now; nil where it is forgotten.
  @discardableResult
  func end(_ id: String, as status: Verification.Status) -> Verification? {
    memory.withLock { memory in
      memory.verifications[id]?.status = status
      return memory.verifications[id]
    }
  }

  /// Takes a guess at a code. Guesses that come at once count one after the other.
  func guess(
    _ code: String, of id: String, most: Int, at now: Timestamp
  ) -> Verification.Guess {
    memory.withLock { memory in
      guard var verification = memory.verifications[id], verification.isOpen(at: now) else {
        return .notOpen
      }
      guard verification.misses < most else { return .tooMany }
      let isRight = ConstantTime.equal(verification.code, code)
      if isRight { verification.status = .approved } else { verification.misses += 1 }
      memory.verifications[id] = verification
      return isRight ? .right(verification) : .wrong(verification)
    }
  }
}

/// Whose a text or a verification is.
struct SMSOwner: Sendable {
  let project: String
  /// Whether the credentials named the project.
  let isNamed: Bool
}

/// A code that a gateway sent, and waits for.
struct Verification: Sendable {
  enum Status: String, Sendable {
    case pending, approved, canceled, failed
  }

  /// A way to send the code again.
  struct Step: Sendable {
    let channel: String
    let to: String
  }

  /// What came of a guess.
  enum Guess {
    case notOpen, tooMany
    case wrong(Verification), right(Verification)
  }

  let id: String
  let owner: SMSOwner
  /// The service that it belongs to, where the gateway has such.
  let service: String
  let to: String
  var code: String
  var channel = "sms"
  /// Who sends it, and the ways that are left, where the gateway knows more than one.
  var brand = ""
  var steps: [Step] = []
  var kept: [SMSContext.Kept] = []
  let createdAt: Timestamp
  var expiresAt: Timestamp
  var status = Status.pending
  /// Codes that were wrong.
  var misses = 0

  func isOpen(at now: Timestamp) -> Bool { status == .pending && now < expiresAt }
}
