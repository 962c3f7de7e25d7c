import HearthTransport

/// How a row of Firestore's REST surface is answered: transcodes the call, makes it, and transcodes
/// the answer.
struct RestMethod: Sendable {
  /// Calls the method, and makes an answer of what it returns. It runs on the thread of the socket,
  /// so what takes long is left to a pool.
  typealias Body = @Sendable (RestCall) async throws -> OutgoingReply

  /// Whether no token is asked for, as with the endpoints that only emulators have.
  let isOpen: Bool
  /// The id that a call counts as whose path leads to a collection; nil where that makes no
  /// difference.
  let collectionOperation: String?
  /// Whether it may run a query; calls that lead to a collection may in any case.
  let isQuery: Bool
  let answer: Body

  init(
    isOpen: Bool, collectionOperation: String? = nil, isQuery: Bool = false,
    _ answer: @escaping Body
  ) {
    self.isOpen = isOpen
    self.collectionOperation = collectionOperation
    self.isQuery = isQuery
    self.answer = answer
  }
}
