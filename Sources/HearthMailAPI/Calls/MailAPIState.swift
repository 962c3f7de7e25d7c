import HearthWire
import Synchronization

/// What the APIs remember between requests: the mails of Resend that can be asked for, the answers of
/// its idempotency keys, and the templates of SES. It is gone when the server ends, and bounded.
package final class MailAPIState: Sendable {
  struct Answer: Sendable {
    /// A hash of the body that got the answer.
    var body: Int
    var reply: JSON?
    var keptAt: Int64
  }

  private struct Memory {
    var emails = RecentValues<JSONObject>(most: 1_000)
    var answers = RecentValues<Answer>(most: 1_000)
    var templates = RecentValues<JSONObject>(most: 200)
  }

  private let memory = Mutex(Memory())
  private let keepsEmails: Bool

  /// All who know the port may ask for the mails that are kept: not where several share the server.
  package init(keepsEmails: Bool = true) { self.keepsEmails = keepsEmails }

  func email(_ id: String) -> JSONObject? { memory.withLock { $0.emails[id] } }

  func setEmail(_ id: String, email: JSONObject) {
    guard keepsEmails else { return }
    memory.withLock { $0.emails[id] = email }
  }

  /// The newest first.
  func emails(_ count: Int) -> [JSONObject] {
    memory.withLock { memory in
      memory.emails.keys.suffix(count).reversed().compactMap { memory.emails[$0] }
    }
  }

  /// Reserves a key; gives what is kept with it already.
  func reserve(_ key: String, body: Int, at now: Int64) -> Answer? {
    memory.withLock { memory in
      if let answer = memory.answers[key], now - answer.keptAt < 86_400 { return answer }
      memory.answers[key] = Answer(body: body, reply: nil, keptAt: now)
      return nil
    }
  }

  /// Keeps the answer of a key; without one, the key is free again.
  func settle(_ key: String, reply: JSON?) {
    memory.withLock { memory in
      if let reply { memory.answers[key]?.reply = reply } else { memory.answers[key] = nil }
    }
  }

  func template(_ name: String) -> JSONObject? { memory.withLock { $0.templates[name] } }

  func setTemplate(_ name: String, template: JSONObject?) {
    memory.withLock { $0.templates[name] = template }
  }

  func templateNames() -> [String] { memory.withLock { $0.templates.keys } }
}

/// Templates. Nobody checks the credentials, so that projects of a shared server must not meet in a name.
extension MailAPIContext {
  private var prefix: String { owner.map { $0 + "/" } ?? "" }

  func template(_ name: String) -> JSONObject? { state.template(prefix + name) }

  func setTemplate(_ name: String, template: JSONObject?) {
    state.setTemplate(prefix + name, template: template)
  }

  func templateNames() -> [String] {
    state.templateNames().filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
  }
}
