import NIOCore
import NIOHTTP2

/// What concerns an HTTP/2 connection as a whole: how many streams it may have, how long it may be
/// idle, and its end.
///
/// It owns the list of its streams, `Limits.streams` at most, and the timers. Everything runs on
/// the loop of the connection, which is also that of its streams, so they call it directly. It ends
/// with the connection. Record 0027.
final class HTTP2Connection: ChannelInboundHandler {
  typealias InboundIn = HTTP2Frame
  typealias OutboundOut = HTTP2Frame

  /// After so long without a sign of life a client with open streams is asked for one. Without this
  /// a client that has lost its network would keep its streams for ever; mobile SDKs ping every 30
  /// seconds themselves.
  private static let silence = TimeAmount.minutes(30)
  /// How long it may take to answer.
  private static let patience = TimeAmount.seconds(30)

  private let limits: Limits
  private let load: PortLoad
  private let front: HTTP2Front
  private var streams: [ObjectIdentifier: HTTP2Stream] = [:]
  /// Whether the client has used the connection, which gives it more time.
  private var hasHadStreams = false
  /// The last stream that has reached the server.
  private var lastStream = HTTP2StreamID.rootStream
  /// When a stream began or ended last, or a ping came.
  private var lastSign = NIODeadline.now()
  private var isAsked = false
  private var isStopping = false
  private var refused = 0
  private var tick: RepeatedTask?
  /// For the first deadline of a call that there was when it was set.
  private var alarm: (time: NIODeadline, timer: Scheduled<Void>)?
  private var context: ChannelHandlerContext?

  init(_ limits: Limits, load: PortLoad, front: HTTP2Front) {
    self.limits = limits
    self.load = load
    self.front = front
  }

  // MARK: Streams

  /// Whether the stream may be served. One that may not is refused, and the connection goes on, if
  /// its client does not go on and on. A stream that is admitted has to be removed.
  func admit(_ stream: HTTP2Stream) -> Bool {
    lastSign = .now()
    hasHadStreams = true
    guard !isStopping, streams.count < limits.streams else {
      refused += 1
      if refused == limits.resets { closeAsTooMuch() }
      return false
    }
    streams[ObjectIdentifier(stream)] = stream
    return true
  }

  fileprivate func note(_ id: HTTP2StreamID) { lastStream = max(lastStream, id) }

  /// May be called more than once, and for a stream that was refused.
  func remove(_ stream: HTTP2Stream) {
    guard streams.removeValue(forKey: ObjectIdentifier(stream)) != nil else { return }
    lastSign = .now()
    if isStopping, streams.isEmpty { sayGoodBye() }
  }

  private func closeAsTooMuch() {
    guard let context else { return }
    let frame = HTTP2Frame(
      streamID: .rootStream,
      payload: .goAway(lastStreamID: .maxID, errorCode: .enhanceYourCalm, opaqueData: nil))
    context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
    // The front has seen the error in the frame, and lets the client read it.
    front.closeIfGivenUp(context.channel)
  }

  // MARK: Deadlines

  /// Ends the calls whose clients wait no longer, at that time. One timer for the connection: calls
  /// end long before it goes off, and to set and cancel one for each takes time.
  func watch(until deadline: NIODeadline) {
    guard let context, alarm.map({ deadline < $0.time }) ?? true else { return }
    alarm?.timer.cancel()
    let timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) {
      self.endLateCalls()
    }
    alarm = (deadline, timer)
  }

  private func endLateCalls() {
    alarm = nil
    let now = NIODeadline.now()
    var next: NIODeadline?
    for stream in streams.values {
      guard let deadline = stream.patienceEnds else { continue }
      // A stream may leave `streams` when it ends. The loop goes through a copy.
      if deadline <= now {
        stream.endAsLate()
      } else {
        next = next.map { min($0, deadline) } ?? deadline
      }
    }
    if let next { watch(until: next) }
  }

  // MARK: Time

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    let shortest = min(limits.requestTime, limits.idleTime)
    let interval = TimeAmount.milliseconds(max(1, shortest * 1000 / 4))
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    tick = context.eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
      let (connection, context) = bound.value
      connection.lookAtTime(context)
    }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    cancelTimers()
    self.context = nil
  }

  private func cancelTimers() {
    tick?.cancel()
    alarm?.timer.cancel()
    alarm = nil
  }

  func channelInactive(context: ChannelHandlerContext) {
    cancelTimers()
    context.fireChannelInactive()
  }

  /// Frames of streams do not come here, but the pings of clients and their answers to ours do. NIO
  /// answers pings itself.
  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .ping = unwrapInboundIn(data).payload {
      lastSign = .now()
      isAsked = false
    }
  }

  /// At a quarter of the shorter time-out. Messages on a stream do not count as a sign of life: a
  /// busy client is asked, too, and answers.
  private func lookAtTime(_ context: ChannelHandlerContext) {
    let silent = NIODeadline.now() - lastSign
    if streams.isEmpty {
      // One that has said nothing but hello, and one whose place others wait for, go sooner.
      var patience = hasHadStreams ? limits.http2IdleTime : limits.requestTime
      if load.isCrowded { patience = min(patience, 10) }
      if silent > .seconds(patience) { stop(context) }
    } else if isAsked {
      // Nobody is there to read a GOAWAY.
      if silent > Self.silence + Self.patience { context.close(promise: nil) }
    } else if silent > Self.silence {
      isAsked = true
      let ping = HTTP2Frame(
        streamID: .rootStream, payload: .ping(HTTP2PingData(withInteger: 0), ack: false))
      context.writeAndFlush(wrapOutboundOut(ping), promise: nil)
    }
  }

  // MARK: Ends

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is ChannelShouldQuiesceEvent { stop(context) }
    context.fireUserInboundEventTriggered(event)
  }

  /// Takes no more streams, ends those without an end of their own, and closes after the others.
  ///
  /// What clients wait for is answered before GOAWAY: some of them read nothing after it.
  private func stop(_ context: ChannelHandlerContext) {
    guard !isStopping else { return }
    isStopping = true
    for stream in streams.values { stream.serverStops() }
    if streams.isEmpty { return sayGoodBye() }
    let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
    context.eventLoop.scheduleTask(in: .milliseconds(limits.graceTime)) {
      bound.value.sayGoodBye()
    }
  }

  /// Closes when what was written has been flushed, or is not taken by the client.
  ///
  /// The frame names the last stream that has come. A client may send again what it has sent
  /// after it, even a write (RFC 9113 section 6.8).
  private func sayGoodBye() {
    guard let context else { return }
    let frame = HTTP2Frame(
      streamID: .rootStream,
      payload: .goAway(lastStreamID: lastStream, errorCode: .noError, opaqueData: nil))
    let channel = context.channel
    context.writeAndFlush(wrapOutboundOut(frame)).whenComplete { _ in
      channel.eventLoop.execute { channel.close(promise: nil) }
    }
    context.eventLoop.scheduleTask(in: .milliseconds(limits.graceTime)) {
      channel.close(promise: nil)
    }
  }

  /// NIO reports errors of streams and of connections alike; after the latter it sends GOAWAY.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if error is ChannelError || error is IOError { return context.close(promise: nil) }
    front.closeIfGivenUp(context.channel)
  }
}

/// Tells a connection which streams it has. NIO asks for a Sendable value, and calls it on the loop
/// of the connection.
struct HTTP2StreamNumbers: NIOHTTP2StreamDelegate {
  let connection: NIOLoopBound<HTTP2Connection>

  func streamCreated(_ id: HTTP2StreamID, channel: any Channel) { connection.value.note(id) }

  func streamClosed(_ id: HTTP2StreamID, channel: any Channel) {}
}
