import NIOCore
import NIOHTTP2

/// Sits between an HTTP/2 connection and NIO's handler of it, and alters two things about it.
///
/// NIO ends the whole connection where a limit that it has advertised is passed. So it is given
/// more than the client: the client hears the real limits, and `HTTP2Stream` refuses what is beyond
/// them, stream by stream. And a connection that NIO gives up is closed so that the client gets to
/// read why: with bytes unread, TCP would take the reason back. Its state belongs to the
/// connection's loop.
final class HTTP2Front: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = IOData
  typealias OutboundOut = IOData

  // RFC 9113 section 4.1: a frame begins with its length in three bytes, its type, its flags and
  // its stream in four bytes.
  private static let settingsType: UInt8 = 4
  private static let goAwayType: UInt8 = 7
  private static let headerLength = 9
  /// How long the client has to read why.
  private static let lingering = TimeAmount.seconds(1)

  /// What the client receives, by the numbers of the settings.
  private var advertised: [UInt16: UInt32]
  /// Bytes of the frame that is being written and are still to come.
  private var rest = 0
  /// Whether NIO has said that the connection is at fault.
  private var hasGivenUp = false
  /// Whether the output is closed. What the client still sends is dropped.
  private var isOver = false

  init(advertising advertised: [UInt16: UInt32]) { self.advertised = advertised }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if !isOver { context.fireChannelRead(data) }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard case .byteBuffer(var bytes) = unwrapOutboundIn(data) else {
      return context.write(data, promise: promise)
    }
    let isAltered = inspect(&bytes)
    context.write(isAltered ? wrapOutboundOut(.byteBuffer(bytes)) : data, promise: promise)
  }

  /// Looks at the beginning of each frame. Returns whether it has changed it. NIO begins each frame
  /// in a buffer of its own, and may write the payload in others.
  private func inspect(_ bytes: inout ByteBuffer) -> Bool {
    guard rest == 0 else {
      rest = max(0, rest - bytes.readableBytes)
      return false
    }
    let start = bytes.readerIndex
    guard let high: UInt8 = bytes.getInteger(at: start),
      let low: UInt16 = bytes.getInteger(at: start + 1),
      let type: UInt8 = bytes.getInteger(at: start + 3)
    else { return false }
    let length = Int(high) << 16 | Int(low)
    rest = max(0, Self.headerLength + length - bytes.readableBytes)
    switch type {
    // An acknowledgement of the client's settings has no payload (RFC 9113 section 6.5).
    case Self.settingsType where !advertised.isEmpty && length > 0:
      amend(&bytes, from: start + Self.headerLength, count: length / 6)
      return true
    case Self.goAwayType:
      // RFC 9113 section 6.8: after the last stream; 0 is NO_ERROR, with which servers stop.
      let code: UInt32? = bytes.getInteger(at: start + Self.headerLength + 4)
      if code != 0 { hasGivenUp = true }
      return false
    default: return false
    }
  }

  /// A setting is its number in two bytes and its value in four (RFC 9113 section 6.5.1). Only the
  /// first frame is amended: it has the settings that NIO begins with.
  private func amend(_ bytes: inout ByteBuffer, from start: Int, count: Int) {
    for index in 0..<count {
      guard let id: UInt16 = bytes.getInteger(at: start + 6 * index), let value = advertised[id]
      else { continue }
      bytes.setInteger(value, at: start + 6 * index + 2)
    }
    advertised = [:]
  }

  /// Closes the connection if NIO has given it up: a moment after the last bytes to the client.
  func closeIfGivenUp(_ channel: any Channel) {
    guard hasGivenUp, !isOver else { return }
    isOver = true
    channel.close(mode: .output, promise: nil)
    channel.eventLoop.scheduleTask(in: Self.lingering) { channel.close(promise: nil) }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    // HTTP/2 knows no half-closed connections.
    if case ChannelEvent.inputClosed = event { return context.close(promise: nil) }
    context.fireUserInboundEventTriggered(event)
  }
}
