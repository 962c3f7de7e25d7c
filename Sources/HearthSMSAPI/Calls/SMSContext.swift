package import HearthTime

/// What the gateways need from the server that they run in.
package struct SMSContext: Sendable {
  /// Where a text was kept.
  package struct Kept: Sendable {
    package let project: String
    package let message: Int64

    package init(project: String, message: Int64) {
      self.project = project
      self.message = message
    }
  }

  package let state: SMSState
  /// So many random digits of the base 16.
  package let hex: @Sendable (_ count: Int) -> String
  package let digits: @Sendable (_ count: Int) -> String
  /// The time of a project; of the default one for nil.
  package let now: @Sendable (_ project: String?) -> Timestamp
  /// Now, as mails write it.
  let date: @Sendable () -> String
  let admit: @Sendable (SMSProvider) async throws -> Void
  let deliver: @Sendable (ProviderText) async throws -> Kept
  /// Notes that a code was used.
  let settle: @Sendable (Kept) async throws -> Void

  package init(
    state: SMSState, hex: @escaping @Sendable (Int) -> String,
    digits: @escaping @Sendable (Int) -> String,
    now: @escaping @Sendable (String?) -> Timestamp,
    date: @escaping @Sendable () -> String,
    admit: @escaping @Sendable (SMSProvider) async throws -> Void = { _ in },
    deliver: @escaping @Sendable (ProviderText) async throws -> Kept,
    settle: @escaping @Sendable (Kept) async throws -> Void = { _ in }
  ) {
    self.state = state
    self.hex = hex
    self.digits = digits
    self.now = now
    self.date = date
    self.admit = admit
    self.deliver = deliver
    self.settle = settle
  }

  var uuid: String {
    let text = hex(32)
    var parts: [Substring] = []
    var rest = text[...]
    for count in [8, 4, 4, 4, 12] {
      parts.append(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    return parts.joined(separator: "-")
  }
}
