package import HearthWire

/// One message over HTTP, and what is answered: a message for a request, nothing for the others.
package struct MCPExchange: Sendable {
  package let status: Int
  package let body: JSON?

  /// `header` gives the value of a header by its lower-case name.
  package init(
    _ bytes: [UInt8], header: (String) -> String?, answeredBy server: MCPServer
  ) async {
    switch MCPMessage(bytes) {
    case .invalid(let error, let id):
      self.init(error, id: id)
    case .notification, .response:
      self.init(status: 202, body: nil)
    case .request(let request):
      if let error = Self.fault(of: request, header) {
        self.init(error, id: request.id)
      } else {
        let answer = await server.answer(request)
        self.init(status: Self.status(of: answer, request), body: answer)
      }
    }
  }

  private init(_ error: MCPError, id: JSON) {
    self.init(status: 400, body: error.reply(to: id))
  }

  private init(status: Int, body: JSON?) {
    self.status = status
    self.body = body
  }

  /// The headers that repeat the body, for what is between client and server, must say the same.
  private static func fault(of request: MCPRequest, _ header: (String) -> String?) -> MCPError? {
    let given = header("mcp-protocol-version")
    guard let revision = request.revision?.string else {
      guard let given, !MCPRevision.withHandshake.contains(given) else { return nil }
      return MCPRevision.all.contains(given)
        ? MCPError(.invalidParams, message: "params._meta must have \(MCPRevision.versionKey)")
        : .unsupportedRevision(given)
    }
    if given != revision { return mismatch("MCP-Protocol-Version") }
    if header("mcp-method") != request.method { return mismatch("Mcp-Method") }
    if request.method == "tools/call", header("mcp-name") != request.params["name"]?.string {
      return mismatch("Mcp-Name")
    }
    return nil
  }

  private static func mismatch(_ name: String) -> MCPError {
    MCPError(.headerMismatch, message: "The header \(name) does not say what the body says.")
  }

  /// Without a handshake, the status says what kind of error there is.
  private static func status(of answer: JSON, _ request: MCPRequest) -> Int {
    guard request.revision != nil,
      let code = answer["error"]?["code"]?.integer.flatMap(MCPError.Code.init)
    else { return 200 }
    return code == .methodNotFound ? 404 : 400
  }
}
