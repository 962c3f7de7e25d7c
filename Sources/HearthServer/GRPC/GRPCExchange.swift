import NIOCore
import SwiftProtobuf
import Synchronization

/// What a method reads its messages from and writes its answer to.
struct GRPCExchange: Sendable {
  enum Input: Sendable {
    case one(GRPCMessage)
    case many(GRPCInbox)
  }

  let call: GRPCCall
  private let input: Input
  private let largestMessage: Int
  private let channel: any Channel

  init(_ call: GRPCCall, _ input: Input, _ largestMessage: Int, _ channel: any Channel) {
    self.call = call
    self.input = input
    self.largestMessage = largestMessage
    self.channel = channel
  }

  /// Runs the method, and tells the client how it ended.
  func answer(_ method: GRPCMethods.Method) async {
    var status = GRPCStatus.ok
    do { try await method.run(self) } catch { status = .from(error) }
    channel.writeAndFlush(GRPCPart.status(status), promise: nil)
  }

  /// The bytes of the one message of a call, as they came.
  var size: Int {
    if case .one(let message) = input { message.bytes.readableBytes } else { 0 }
  }

  /// The one message of a call.
  func message<Content: Message>() async throws -> Content {
    guard case .one(let message) = input else {
      throw GRPCStatus.internalError("The method takes one message.")
    }
    return try await message.read(call, atMost: largestMessage)
  }

  /// The messages of a call that streams.
  func messages<Content: Message>(of type: Content.Type) -> GRPCMessages<Content> {
    guard case .many(let inbox) = input else { return GRPCMessages(GRPCInbox {}, call, 0) }
    return GRPCMessages(inbox, call, largestMessage)
  }

  /// Writes messages, to a client that does not read no more than it has room for.
  func write(_ frames: GRPCFrames) async throws {
    frames.pending?.whenStuck { [channel] in channel.close(promise: nil) }
    for (index, frame) in frames.frames.enumerated() {
      let isLast = frames.pending != nil && index == frames.frames.count - 1
      if channel.isWritable, !isLast {
        channel.write(GRPCPart.message(frame), promise: nil)
      } else {
        try await channel.writeAndFlush(GRPCPart.message(frame))
        frames.pending?.progress()
      }
    }
  }

  /// Writes a message that is to arrive now.
  func send(_ message: some Message) async throws {
    guard channel.isActive else { throw ChannelError.ioOnClosedChannel }
    let part = GRPCPart.message(try GRPCMessage.frame(message))
    if channel.isWritable {
      channel.writeAndFlush(part, promise: nil)
    } else {
      try await channel.writeAndFlush(part)
    }
  }
}

/// Messages that a client has sent and nobody has read yet. The handler fills it on its loop, and the
/// method's task empties it. gRPC has no window of its own: where it is full, the handler stops reading,
/// and HTTP/2's window holds the client back.
final class GRPCInbox: Sendable {
  /// How many may wait, and how many bytes, until nothing more is read from the client.
  private static let mostMessages = 64
  private static let mostBytes = 1 << 20

  private struct Unread {
    var messages = 0
    var bytes = 0
    var isFull: Bool { messages > GRPCInbox.mostMessages || bytes > GRPCInbox.mostBytes }
  }

  let messages: AsyncStream<GRPCMessage>
  private let output: AsyncStream<GRPCMessage>.Continuation
  private let unread = Mutex(Unread())
  private let onRoom: @Sendable () -> Void

  /// `onRoom` hears when it was full and is no longer.
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

  func finish() { output.finish() }

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

/// The messages of a stream, read one by one.
struct GRPCMessages<Content: Message>: AsyncSequence, Sendable {
  typealias Element = Content

  private let inbox: GRPCInbox
  private let call: GRPCCall
  private let largest: Int

  init(_ inbox: GRPCInbox, _ call: GRPCCall, _ largest: Int) {
    self.inbox = inbox
    self.call = call
    self.largest = largest
  }

  struct AsyncIterator: AsyncIteratorProtocol {
    private let messages: GRPCMessages
    private var base: AsyncStream<GRPCMessage>.Iterator

    fileprivate init(_ messages: GRPCMessages) {
      self.messages = messages
      base = messages.inbox.messages.makeAsyncIterator()
    }

    mutating func next() async throws -> Content? {
      guard let message = await base.next() else { return nil }
      messages.inbox.took(message)
      return try await message.read(messages.call, atMost: messages.largest)
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
