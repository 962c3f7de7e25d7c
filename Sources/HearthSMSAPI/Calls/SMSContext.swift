package import HearthTime
import HearthWire

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

  let state: SMSState
  /// The project that the credentials name.
  let named: @Sendable () -> String?
  let defaultProject: String
  /// So many random digits of the base 16.
  package let hex: @Sendable (_ count: Int) -> String
  package let digits: @Sendable (_ count: Int) -> String
  /// The time of a project; of the default one for nil.
  package let now: @Sendable (_ project: String?) -> Timestamp
  /// The machine's time: signatures count for minutes of it, whatever the clock of a project says.
  let machineTime: @Sendable () -> Timestamp
  /// Now, as mails write it.
  let date: @Sendable () -> String
  let admit: @Sendable (SMSProvider) async throws -> Void
  /// The project that a text to the number goes to.
  let project: @Sendable (_ number: String) async throws -> String
  private let keep: @Sendable (ProviderText) async throws -> Kept
  /// Notes that a code was used.
  let settle: @Sendable (Kept) async throws -> Void

  package init(
    state: SMSState, named: @escaping @Sendable () -> String? = { nil }, defaultProject: String,
    hex: @escaping @Sendable (Int) -> String,
    digits: @escaping @Sendable (Int) -> String,
    now: @escaping @Sendable (String?) -> Timestamp,
    machineTime: @escaping @Sendable () -> Timestamp,
    date: @escaping @Sendable () -> String,
    admit: @escaping @Sendable (SMSProvider) async throws -> Void = { _ in },
    project: @escaping @Sendable (String) async throws -> String,
    deliver: @escaping @Sendable (ProviderText) async throws -> Kept,
    settle: @escaping @Sendable (Kept) async throws -> Void = { _ in }
  ) {
    self.state = state
    self.named = named
    self.defaultProject = defaultProject
    self.hex = hex
    self.digits = digits
    self.now = now
    self.machineTime = machineTime
    self.date = date
    self.admit = admit
    self.project = project
    keep = deliver
    self.settle = settle
  }

  /// Puts a text into the mailbox, if it is as long as the provider takes.
  func deliver(_ text: ProviderText) async throws -> Kept {
    try text.check()
    return try await keep(text)
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

// MARK: What is remembered

/// Credentials that name a project find what is of this project. Others find what was made without a
/// name, and what is of the default project.
extension SMSContext {
  func isOurs(_ owner: SMSOwner) -> Bool {
    if let named = named() { return owner.project == named }
    return !owner.isNamed || owner.project == defaultProject
  }

  func owner(_ project: String) -> SMSOwner { SMSOwner(project: project, isNamed: named() != nil) }

  func text(_ id: String) -> JSON? {
    state.text(id).flatMap { isOurs($0.owner) ? $0.json : nil }
  }

  func remember(_ id: String, text: JSON, in project: String) {
    state.setText(id, text: SMSState.Text(owner: owner(project), json: text))
  }

  func verification(_ id: String, service: String) -> Verification? {
    state.verification(id).flatMap { $0.service == service && isOurs($0.owner) ? $0 : nil }
  }

  /// The newest that fits.
  func verification(
    to number: String, service: String, where fits: (Verification) -> Bool = { _ in true }
  ) -> Verification? {
    state.verification { $0.service == service && $0.to == number && isOurs($0.owner) && fits($0) }
  }
}
