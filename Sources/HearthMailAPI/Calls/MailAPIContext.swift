/// What the APIs need from the server that they run in.
package struct MailAPIContext: Sendable {
  /// Keeps a mail. When it returns, the mail is there for the app's tests.
  package typealias Deliver = @Sendable (ProviderMail, _ messageId: String) async throws -> Void

  /// Asks whether a request is to be answered. Throws a ``MailRefusal`` where it is to fail.
  package typealias Admit = @Sendable (MailProvider) async throws -> Void

  package let state: MailAPIState
  /// The project that has the templates; nil where all have the same.
  let owner: String?
  /// A random UUID.
  package let newId: @Sendable () -> String
  /// Now, in ISO 8601.
  package let time: @Sendable () -> String
  /// Now, in seconds.
  package let seconds: @Sendable () -> Int64
  let admit: Admit
  let deliver: Deliver

  package init(
    state: MailAPIState, owner: String? = nil, newId: @escaping @Sendable () -> String,
    time: @escaping @Sendable () -> String, seconds: @escaping @Sendable () -> Int64,
    admit: @escaping Admit = { _ in }, deliver: @escaping Deliver
  ) {
    self.state = state
    self.owner = owner
    self.newId = newId
    self.time = time
    self.seconds = seconds
    self.admit = admit
    self.deliver = deliver
  }
}
