import HearthWire
import Synchronization
import Testing

@testable import HearthMCP

/// Calls that wait until they are cancelled.
private func waiting(_ arrived: AsyncStream<Void>.Continuation) -> FakeHearth {
  FakeHearth { _ in
    let (never, _) = AsyncStream.makeStream(of: Void.self)
    arrived.yield()
    // Ends when the task is cancelled.
    for await _ in never {}
    return HearthReply(status: 200, body: [])
  }
}

@Suite struct `A conversation with a client` {
  private final class Output: Sendable {
    let messages = Mutex<[JSON]>([])
    var ids: [JSON] { messages.withLock { $0.compactMap { $0["id"] } } }

    @Sendable func write(_ bytes: [UInt8]) {
      messages.withLock { $0.append((try? JSON.parse(bytes)) ?? .null) }
    }
  }

  private func line(_ text: String) -> MCPLines.Line { .message(Array(text.utf8)) }

  private func call(_ id: Int) -> MCPLines.Line {
    line(
      """
      {"jsonrpc":"2.0","id":\(id),"method":"tools/call",\
      "params":{"name":"wait_for_mail","arguments":{}}}
      """)
  }

  private func cancel(_ id: Int) -> MCPLines.Line {
    line(
      """
      {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":\(id)}}
      """)
  }

  @Test func `a cancelled call ends without an answer`() async {
    let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
    let output = Output()
    let conversation = MCPConversation(waiting(arrived).server, write: output.write)
    conversation.receive(call(1))
    var iterator = arrivals.makeAsyncIterator()
    await iterator.next()
    conversation.receive(line(#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#))
    conversation.receive(cancel(1))
    await conversation.finish()
    #expect(!output.ids.contains(1))
  }

  @Test func `too many calls, and an id that is in use, are refused`() async {
    let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
    let output = Output()
    let conversation = MCPConversation(waiting(arrived).server, write: output.write)
    for id in 1...65 { conversation.receive(call(id)) }
    conversation.receive(call(1))
    var iterator = arrivals.makeAsyncIterator()
    for _ in 1...64 { await iterator.next() }
    let refused = output.messages.withLock { $0 }
    #expect(refused.map { $0["id"] } == [65, 1])
    #expect(refused.map { $0["error"]?["code"] } == [-32000, -32600])
    for id in 1...64 { conversation.receive(cancel(id)) }
    await conversation.finish()
    #expect(output.ids == [65, 1])
  }

  @Test func `an id that a cancelled call had is that of the next call`() async {
    let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
    let calls = Mutex<[CheckedContinuation<HearthReply, Never>]>([])
    let hearth = FakeHearth { _ in
      await withCheckedContinuation { call in
        calls.withLock { $0.append(call) }
        arrived.yield()
      }
    }
    let output = Output()
    let conversation = MCPConversation(hearth.server, write: output.write)
    var iterator = arrivals.makeAsyncIterator()
    conversation.receive(call(1))
    await iterator.next()
    conversation.receive(cancel(1))
    conversation.receive(call(1))
    await iterator.next()
    for (call, words) in zip(calls.withLock { $0 }, ["the first one", "the second one"]) {
      let body = #"{"error":{"code":400,"message":"\#(words)"}}"#
      call.resume(returning: HearthReply(status: 400, body: Array(body.utf8)))
    }
    await conversation.finish()
    #expect(output.ids == [1])
    #expect(output.messages.withLock { $0.map(\.text) }.joined().contains("the second one"))
  }

  @Test func `calls under way are answered at the end of the input`() async {
    let output = Output()
    let conversation = MCPConversation(FakeHearth().server, write: output.write)
    conversation.receive(line(#"{"jsonrpc":"2.0","id":"x","method":"ping"}"#))
    conversation.receive(.tooLong)
    conversation.receive(line("nonsense"))
    await conversation.finish()
    let answers = output.messages.withLock { $0 }
    #expect(answers.count == 3)
    #expect(answers.contains { $0["id"] == "x" && $0["result"] == [:] })
    #expect(answers.count { $0["error"]?["code"] == -32700 } == 2)
  }
}
