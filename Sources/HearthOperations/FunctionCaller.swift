package import HearthWire

/// Calls the HTTP endpoints of a functions emulator. A protocol, because it is a true edge: the
/// server calls over the network, tests answer by themselves.
package protocol FunctionCaller: Sendable {
  /// Posts JSON and reads the whole answer.
  func post(_ body: JSON, to url: String, within timeout: Duration) async throws(FunctionFailure)
    -> FunctionReply
}

/// What a function answered.
package struct FunctionReply: Sendable {
  package let status: Int
  package let body: [UInt8]

  package init(status: Int, body: [UInt8]) {
    self.status = status
    self.body = body
  }
}

/// Why there is no answer.
package enum FunctionFailure: Error, Sendable {
  case timedOut
  case unreachable(reason: String)
}
