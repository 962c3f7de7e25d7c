import HearthOperations
package import NIOCore
package import SwiftProtobuf
import Synchronization

/// What a method reads its messages from and writes its answer to.
///
/// The task of the method has it. It reaches the connection's loop through the channel, which takes
/// writes of any thread in their order; writes to a call that has ended fail.
package struct GRPCExchange: Sendable {
  package enum Input: Sendable {
    /// Of a call that has one message, which has come as a whole.
    case one(GRPCMessage)
    /// Of a call that streams. More may come.
    case many(GRPCInbox)
  }

  package let call: GRPCCall
  private let input: Input
  /// In bytes, unpacked.
  private let largestMessage: Int
  private let channel: any Channel

  package init(_ call: GRPCCall, input: Input, largestMessage: Int, channel: any Channel) {
    self.call = call
    self.input = input
    self.largestMessage = largestMessage
    self.channel = channel
  }

  /// Runs the method, and tells the client how it ended. A call without an error has a status, too.
  package func answer(_ method: GRPCMethods.Method) async {
    var status = GRPCStatus.ok
    do { try await method.run(self) } catch { status = .from(error) }
    channel.writeAndFlush(GRPCPart.status(status), promise: nil)
  }

  /// The bytes of the one message of a call, as they came; 0 for a stream.
  package var size: Int {
    if case .one(let message) = input { message.bytes.readableBytes } else { 0 }
  }

  /// The one message of a call. Throws the status to answer with where it cannot be read.
  package func message<Content: Message>() async throws -> Content {
    guard case .one(let message) = input else {
      throw GRPCStatus.internalError("The method takes one message.")
    }
    return try await message.read(call, atMost: largestMessage)
  }

  /// The messages of a call that streams.
  package func messages<Content: Message>(of type: Content.Type) -> GRPCMessages<Content> {
    guard case .many(let inbox) = input else {
      return GRPCMessages(GRPCInbox {}, call: call, largest: 0)
    }
    return GRPCMessages(inbox, call: call, largest: largestMessage)
  }

  /// Writes messages, to a client that does not read no more than it has room for. While there is
  /// room nothing is flushed: the messages go out with those after them, at the latest with the
  /// status.
  package func write(_ frames: GRPCFrames) async throws {
    frames.pending?.whenStuck { [channel] in channel.close(promise: nil) }
    for (index, frame) in frames.frames.enumerated() {
      // A large answer is accounted for until the last of it is written.
      let isLast = frames.pending != nil && index == frames.frames.count - 1
      if channel.isWritable, !isLast {
        channel.write(GRPCPart.message(frame), promise: nil)
      } else {
        try await channel.writeAndFlush(GRPCPart.message(frame))
        frames.pending?.progress()
      }
    }
  }

  /// Writes a message that is to arrive now. Throws where the client has gone: a write that nobody
  /// waits for would not tell.
  package func send(_ message: some Message) async throws {
    guard channel.isActive else { throw ChannelError.ioOnClosedChannel }
    let part = GRPCPart.message(try GRPCMessage.frame(message))
    if channel.isWritable {
      channel.writeAndFlush(part, promise: nil)
    } else {
      // What is sent bit by bit may be part of something large.
      let answer = LargeAnswers.Answer.current
      answer?.whenStuck { [channel] in channel.close(promise: nil) }
      try await channel.writeAndFlush(part)
      answer?.progress()
    }
  }
}

/// Messages that a client has sent and nobody has read yet. The handler fills it on its loop, and
/// the method's task empties it; the count is shared under a lock. gRPC has no window of its own:
/// where it is full, the handler stops reading, and HTTP/2's window holds the client back (RFC 9113
/// section 5.2). What has been read until then is added all the same.
package final class GRPCInbox: Sendable {
  /// How many may wait, and how many bytes, until nothing more is read from the client.
  private static let mostMessages = 64
  private static let mostBytes = 1 << 20

  private struct Unread {
    var messages = 0
    var bytes = 0
    var isFull: Bool { messages > GRPCInbox.mostMessages || bytes > GRPCInbox.mostBytes }
  }

  /// For one reader, the method's task.
  let messages: AsyncStream<GRPCMessage>
  private let output: AsyncStream<GRPCMessage>.Continuation
  private let unread = Mutex(Unread())
  private let onRoom: @Sendable () -> Void

  /// `onRoom` hears when it was full and is no longer, on the thread that has taken a message.
  init(onRoom: @escaping @Sendable () -> Void) {
    (messages, output) = AsyncStream.makeStream()
    self.onRoom = onRoom
  }

  var isFull: Bool { unread.withLock(\.isFull) }

  func add(_ message: GRPCMessage) {
    unread.withLock {
      $0.messages += 1
      $0.bytes += message.bytes.readableBytes
    }
    output.yield(message)
  }

  /// The client sends no more, or the call has ended. May be called more than once.
  func finish() { output.finish() }

  /// The handler hears of it once, where it may have stopped reading.
  fileprivate func took(_ message: GRPCMessage) {
    let hasRoom = unread.withLock { unread in
      let wasFull = unread.isFull
      unread.messages -= 1
      unread.bytes -= message.bytes.readableBytes
      return wasFull && !unread.isFull
    }
    if hasRoom { onRoom() }
  }
}

/// The messages of a stream, read one by one, by one reader. A message that cannot be read ends it
/// with an error.
package struct GRPCMessages<Content: Message>: AsyncSequence, Sendable {
  package typealias Element = Content

  private let inbox: GRPCInbox
  private let call: GRPCCall
  private let largest: Int

  init(_ inbox: GRPCInbox, call: GRPCCall, largest: Int) {
    self.inbox = inbox
    self.call = call
    self.largest = largest
  }

  package struct AsyncIterator: AsyncIteratorProtocol {
    private let messages: GRPCMessages
    private var base: AsyncStream<GRPCMessage>.Iterator

    fileprivate init(_ messages: GRPCMessages) {
      self.messages = messages
      base = messages.inbox.messages.makeAsyncIterator()
    }

    package mutating func next() async throws -> Content? {
      guard let message = await base.next() else { return nil }
      // Before it is unpacked, which may take a while.
      messages.inbox.took(message)
      return try await message.read(messages.call, atMost: messages.largest)
    }
  }

  package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
