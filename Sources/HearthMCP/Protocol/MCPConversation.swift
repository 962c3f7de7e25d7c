import HearthWire
import Synchronization

/// A client at the other end of a pipe: requests run side by side, and can be cancelled. A class,
/// because it owns the calls under way.
package final class MCPConversation: Sendable {
  /// Calls at once; more are refused.
  private static let most = 64

  private struct Calls {
    /// The calls that are wanted, by the text of their ids. A client may use an id again when it has
    /// the answer.
    var numbers: [String: Int] = [:]
    /// Until their answers are written.
    var tasks: [Int: Task<Void, Never>] = [:]
    var last = 0
  }

  private let server: MCPServer
  private let write: @Sendable ([UInt8]) -> Void
  private let calls = Mutex(Calls())

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
        MCPError(.parseError, message: "The message is longer than \(limit) MB.").reply(to: .null))
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
    for task in calls.withLock({ Array($0.tasks.values) }) { await task.value }
  }

  private func begin(_ request: MCPRequest) {
    let key = request.id.text
    let refusal: MCPError? = calls.withLock { calls in
      if calls.numbers[key] != nil {
        return MCPError(.invalidRequest, message: "A call has this id already.")
      }
      if calls.numbers.count >= Self.most {
        return MCPError(.busy, message: "\(Self.most) calls are under way; wait for one of them.")
      }
      calls.last += 1
      let number = calls.last
      calls.numbers[key] = number
      calls.tasks[number] = Task {
        let answer = await server.answer(request)
        // A call that was cancelled has no answer.
        if isStillWanted(key, number: number) { say(answer) }
        self.calls.withLock { $0.tasks[number] = nil }
      }
      return nil
    }
    if let refusal { say(refusal.reply(to: request.id)) }
  }

  /// Whether the call was not cancelled. Its id is free afterwards.
  private func isStillWanted(_ key: String, number: Int) -> Bool {
    calls.withLock { calls in
      guard calls.numbers[key] == number else { return false }
      calls.numbers[key] = nil
      return true
    }
  }

  private func cancel(_ id: JSON) {
    let task = calls.withLock { calls in
      calls.numbers.removeValue(forKey: id.text).flatMap { calls.tasks[$0] }
    }
    task?.cancel()
  }

  private func say(_ message: JSON) { write(message.bytes + [UInt8(ascii: "\n")]) }
}
