package import HTTPTypes
package import HearthErrors

/// What the table of routes says of a request when nothing but its head is there. It is asked
/// through closures: the table belongs to who assembles the server.
package struct RowsAhead: Sendable {
  /// Whether the request asks to wait for something. It has to be known before the call is made, as
  /// a call that waits takes up a place among the few that may.
  package let waits: @Sendable (HTTPRequest) -> Bool
  /// The refusal of a request that was not read to its end, as its API writes it.
  package let refuse: @Sendable (APIError, HTTPRequest) -> OutgoingReply

  package init(
    waits: @escaping @Sendable (HTTPRequest) -> Bool,
    refuse: @escaping @Sendable (APIError, HTTPRequest) -> OutgoingReply
  ) {
    self.waits = waits
    self.refuse = refuse
  }
}
