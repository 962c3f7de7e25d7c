package import HearthWire

/// Calls functions and webhooks over HTTP. A protocol, because it is a true edge: the server calls
/// over the network, tests answer by themselves.
package protocol FunctionCaller: Sendable {
  /// Sends a request and reads the whole answer.
  func send(
    _ request: FunctionRequest, within timeout: Duration
  ) async throws(FunctionFailure) -> FunctionReply
}

extension FunctionCaller {
  /// Posts JSON.
  package func post(
    _ body: JSON, to url: String, within timeout: Duration
  ) async throws(FunctionFailure) -> FunctionReply {
    try await send(FunctionRequest(url: url, json: body), within: timeout)
  }
}

/// A request to a function.
package struct FunctionRequest: Sendable {
  package let method: String
  package let url: String
  package let headers: [(name: String, value: String)]
  package let body: [UInt8]

  package init(
    _ method: String = "POST", url: String, headers: [(name: String, value: String)] = [],
    body: [UInt8] = []
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }

  package init(url: String, json: JSON) {
    self.init(
      url: url, headers: [("Content-Type", "application/json"), ("Accept", "*/*")],
      body: json.bytes)
  }
}

/// What a function answered.
package struct FunctionReply: Sendable {
  package let status: Int
  package let body: [UInt8]

  package init(status: Int, body: [UInt8]) {
    self.status = status
    self.body = body
  }

  package var isSuccess: Bool { (200..<300).contains(status) }
}

/// Why a function did not answer.
package enum FunctionFailure: Error, Sendable {
  case timedOut
  case unreachable(reason: String)
  /// Nothing was sent: the address is not one that Hearth calls.
  case refused(OutgoingHosts.Refusal)
}
