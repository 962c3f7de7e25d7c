import HearthWire
import Synchronization

/// A client at the other end of a pipe: requests run side by side, and can be cancelled. A class,
/// because it owns the calls under way.
package final class MCPConversation: Sendable {
  /// Calls at once; more are refused.
  private static let most = 64

  private let server: MCPServer
  private let write: @Sendable ([UInt8]) -> Void
  /// By the text of their ids.
  private let calls = Mutex<[String: Task<Void, Never>]>([:])

  /// `write` gets whole messages, which end with a line break.
  package init(_ server: MCPServer, write: @escaping @Sendable ([UInt8]) -> Void) {
    self.server = server
    self.write = write
  }

  /// Begins what the message asks for, and returns at once.
  package func receive(_ line: MCPLines.Line) {
    guard case .message(let bytes) = line else {
      let limit = MCPLines.longest >> 20
      return say(
        MCPError(.parseError, "The message is longer than \(limit) MB.").reply(to: .null))
    }
    switch MCPMessage(bytes) {
    case .request(let request): begin(request)
    case .notification("notifications/cancelled", let params):
      if let id = params["requestId"] { cancel(id) }
    case .notification, .response: break
    case .invalid(let error, let id): say(error.reply(to: id))
    }
  }

  /// Waits for the calls under way.
  package func finish() async {
    for task in calls.withLock({ Array($0.values) }) { await task.value }
  }

  private func begin(_ request: MCPRequest) {
    let key = request.id.text
    let refusal: MCPError? = calls.withLock { calls in
      if calls[key] != nil { return MCPError(.invalidRequest, "A call has this id already.") }
      if calls.count >= Self.most {
        return MCPError(.busy, "\(Self.most) calls are under way; wait for one of them.")
      }
      calls[key] = Task {
        let answer = await server.answer(request)
        // A call that was cancelled has no answer.
        if end(key) { say(answer) }
      }
      return nil
    }
    if let refusal { say(refusal.reply(to: request.id)) }
  }

  /// Whether the call was still wanted.
  private func end(_ key: String) -> Bool {
    calls.withLock { $0.removeValue(forKey: key) != nil }
  }

  private func cancel(_ id: JSON) {
    calls.withLock { $0.removeValue(forKey: id.text) }?.cancel()
  }

  private func say(_ message: JSON) { write(message.bytes + [UInt8(ascii: "\n")]) }
}
