package import HearthErrors
package import HearthOperations
import HearthWire
import NIOCore
package import SwiftProtobuf

/// A message as it came, without its prefix.
package struct GRPCMessage: Sendable {
  /// From here on, unpacking and reading it takes longer than an event loop should be held. Few
  /// bytes may unpack to many.
  private static let large = 256 << 10
  private static let largePacked = 4 << 10

  let bytes: ByteBuffer
  let isCompressed: Bool
  /// Keeps the bytes of a large message accounted for, as long as the message lives.
  let reservation: ByteBudget.Reservation?

  /// Reads it; beside the event loop if it is large. Throws a `GRPCStatus`, or an `APIError` where
  /// too much work waits.
  func read<Content: Message>(_ call: GRPCCall, atMost limit: Int) async throws -> Content {
    let isLarge = bytes.readableBytes > (isCompressed ? Self.largePacked : Self.large)
    guard isLarge else { return try unpack(call, atMost: limit) }
    let result = try await WorkPool.shared.run { () async throws(APIError) in
      Result { try unpack(call, atMost: limit) as Content }
    }
    return try result.get()
  }

  private func unpack<Content: Message>(_ call: GRPCCall, atMost limit: Int) throws -> Content {
    let bytes = try expand(call.encoding, atMost: limit)
    do {
      return try Content(serializedBytes: bytes)
    } catch {
      throw GRPCStatus.invalidArgument("The message cannot be read: \(error)")
    }
  }

  private func expand(_ encoding: String?, atMost limit: Int) throws -> [UInt8] {
    let packed = Array(buffer: bytes)
    guard isCompressed else { return packed }
    do throws(Inflate.Failure) {
      switch encoding {
      case "gzip": return try Inflate.gzip(packed, atMost: limit)
      case "deflate": return try Inflate.deflate(packed, atMost: limit)
      // gRPC's compression.md: INTERNAL for a message that is marked and has no encoding.
      default: throw .damaged
      }
    } catch {
      switch error {
      case .tooLarge: throw GRPCStatus.resourceExhausted(Self.tooLarge(limit))
      case .damaged:
        throw GRPCStatus.internalError(
          "The message is not compressed with the encoding that grpc-encoding names.")
      }
    }
  }

  static func tooLarge(_ limit: Int) -> String {
    "The message is larger than the limit of \(limit) bytes."
  }

  /// The message with its prefix, as it is sent: a zero, since answers are not compressed, and the
  /// length, big endian.
  static func frame(_ message: some Message) throws -> ByteBuffer {
    let bytes: [UInt8] = try message.serializedBytes()
    var buffer = ByteBuffer()
    buffer.reserveCapacity(bytes.count + 5)
    buffer.writeInteger(UInt8(0))
    buffer.writeInteger(UInt32(bytes.count))
    buffer.writeBytes(bytes)
    return buffer
  }
}

/// The messages of an answer, ready to be written. It holds all of their bytes, which `LargeAnswers`
/// accounts for.
package struct GRPCFrames: Sendable {
  private(set) var frames: [ByteBuffer] = []
  /// Keeps a large answer accounted for until it is written.
  package let pending: LargeAnswers.Answer?

  /// Serializes the messages; what exceeds a small answer, off the event loop.
  package init(_ messages: [some Message]) async throws(APIError) {
    let answer = LargeAnswers.Answer.current ?? LargeAnswers.Answer()
    frames.reserveCapacity(messages.count)
    var size = 0
    while frames.count < messages.count, size <= LargeAnswers.small {
      let frame = try Self.frame(messages[frames.count])
      size += frame.readableBytes
      frames.append(frame)
    }
    if frames.count < messages.count {
      let rest = messages[frames.count...]
      // They take memory while they wait for the pool. How much is guessed by those that are
      // encoded.
      answer.hold(atLeast: size / frames.count * messages.count)
      // Never refused: the operation has been carried out.
      frames += try await WorkPool.shared.finish { () async throws(APIError) in
        try rest.map { message throws(APIError) in try Self.frame(message) }
      }
      size = frames.reduce(0) { $0 + $1.readableBytes }
    }
    answer.hold(size)
    pending = size > LargeAnswers.small ? answer : nil
  }

  private static func frame(_ message: some Message) throws(APIError) -> ByteBuffer {
    do { return try GRPCMessage.frame(message) } catch {
      throw APIError(.internalError, detail: "\(error)")
    }
  }
}

/// Cuts what a client sends into messages. Frames of HTTP/2 end anywhere in them: a message is a
/// flag, a length of four bytes and its bytes, and only the length says where the next one begins
/// (PROTOCOL-HTTP2.md).
///
/// A stream owns one, on the connection's loop. Where `next` has returned nil, it holds the
/// beginning of one message at most.
struct GRPCMessageReader {
  private static let prefixLength = 5
  /// What is larger counts against what the server may hold at once.
  private static let small = 256 << 10

  private let limit: Int
  private var buffer = ByteBuffer()
  private var reservation: ByteBudget.Reservation?

  init(atMost limit: Int) { self.limit = limit }

  /// Whether a message has begun and not ended.
  var isInside: Bool { buffer.readableBytes > 0 }

  /// The bytes of a DATA frame. Between messages they are kept as they are, without a copy.
  mutating func append(_ bytes: inout ByteBuffer) {
    guard buffer.readableBytes > 0 else { return buffer = bytes }
    // Frames may always end within a message: without this the buffer grows as long as the call.
    buffer.discardReadBytes()
    buffer.writeBuffer(&bytes)
  }

  /// The next message; nil where more of it has to come. Where it throws, the rest cannot be cut,
  /// and the call has to end.
  mutating func next() throws(GRPCStatus) -> GRPCMessage? {
    let start = buffer.readerIndex
    guard let flag: UInt8 = buffer.getInteger(at: start),
      let length: UInt32 = buffer.getInteger(at: start + 1)
    else { return nil }
    guard flag <= 1 else { throw .internalError("A message begins with an unknown flag.") }
    guard length <= limit else { throw .resourceExhausted(GRPCMessage.tooLarge(limit)) }
    guard buffer.readableBytes >= Self.prefixLength + Int(length) else {
      try reserve(Int(length))
      return nil
    }
    buffer.moveReaderIndex(forwardBy: Self.prefixLength)
    let bytes = buffer.readSlice(length: Int(length)) ?? ByteBuffer()
    let message = GRPCMessage(bytes: bytes, isCompressed: flag == 1, reservation: reservation)
    reservation = nil
    if buffer.readableBytes == 0 { buffer = ByteBuffer() }
    return message
  }

  /// For all of a large message at once, before its bytes take up memory.
  private mutating func reserve(_ length: Int) throws(GRPCStatus) {
    guard length > Self.small, reservation == nil else { return }
    reservation = ByteBudget.requests.reserve(length)
    if reservation == nil { throw .unavailable("The server holds too many large messages.") }
  }
}
