package import HearthWire

/// What became of a mail on its way.
package struct MailDelivery: Sendable, Equatable {
  package enum State: String, Sendable, CaseIterable {
    case delivered
    /// A link that an administrator generated. Nobody was sent a mail.
    case notSent
    /// The sender was refused.
    case rejected
    case bounced
    case deferred
    case complained
    /// Taken, and not handed on.
    case dropped
  }

  package let state: State
  /// The code of the transport, such as 550.
  package let code: Int?
  package let text: String?
  /// Nil where no function was asked.
  package let verdict: SendVerdict?

  package init(
    _ state: State, code: Int? = nil, text: String? = nil, verdict: SendVerdict? = nil
  ) {
    self.state = state
    self.code = code
    self.text = text
    self.verdict = verdict
  }

  package var json: JSON {
    .members([
      "state": .string(state.rawValue), "code": code.map { .int(Int64($0)) }, "text": text.json,
      "verdict": verdict?.json,
    ])
  }

  /// Nil for a state that another version wrote.
  init?(stored text: String) {
    guard let json = try? JSON.parse(text),
      let state = (json["state"]?.string).flatMap(State.init(rawValue:))
    else { return nil }
    self.init(
      state, code: (json["code"]?.integer).map(Int.init), text: json["text"]?.string,
      verdict: SendVerdict(json["verdict"]))
  }
}
