import HearthCrypto
import HearthObservation
import HearthSMTP
import HearthTransport
import NIOCore
import NIOSSL
import NIOTLS

/// Carries out what `SmtpSession` decides for one connection.
///
/// It owns the session, and touches it on the connection's loop only. Faults, the store and
/// certificates take time: a task asks for them elsewhere, and hands its outcome back on the loop.
/// Meanwhile nothing more is read, so what a client pipelines stays in the kernel.
///
/// The place among the sessions, the accounted bytes and the timers are let go when the connection
/// becomes inactive.
final class SmtpConnectionHandler: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// Bytes that a mail may have without being accounted for, and that are added at a time. Most
  /// mails are smaller and never touch the shared count.
  private static let share = 256 << 10

  private let service: SmtpService
  private var session: SmtpSession
  /// This connection's place among all; nil before the greeting, and where there is none left.
  private var place: ByteBudget.Reservation?
  /// The shares of `service.bytes` that the mail being received takes.
  private var room: [ByteBudget.Reservation] = []
  /// The context that STARTTLS uses, between the reply and the handshake.
  private var tls: NIOSSLContext?
  /// What is waited for that need not come to its end when the connection has ended.
  private var check: Task<Void, Never>?
  private let options: SmtpOptions
  /// Ends the connection, and the mail that is being received, after their time.
  private var sessionEnd: Scheduled<Void>?
  private var mailEnd: Scheduled<Void>?
  private var tick: RepeatedTask?
  /// A read that was asked for while the session was at work; it is made up for later.
  private var isReadHeld = false
  /// The client has closed its half. What it has sent is still answered.
  private var hasInputEnded = false

  init(_ service: SmtpService, options: SmtpOptions) {
    self.service = service
    self.options = options
    let name = Randomness().alphanumeric(16)
    session = SmtpSession(options, challenge: "<\(name)@\(options.host)>")
  }

  // MARK: What the session wants

  /// Does what the session wants until it waits for something.
  ///
  /// Replies to commands that came together leave in one write. It is called again with each
  /// outcome.
  private func run(_ context: ChannelHandlerContext) {
    var output = context.channel.allocator.buffer(capacity: 128)
    var isClosing = false
    while !isClosing, let action = session.next() {
      switch action {
      case .reply(let reply): output.writeBytes(reply.bytes)
      case .close: isClosing = true
      case .beginTLS:
        // The reply to STARTTLS goes out before there is a handler that would encrypt it.
        flush(&output, context: context)
        beginTLS(context)
      case .check, .prepareTLS, .keep: begin(action, context: context)
      }
    }
    flush(&output, context: context)
    watchMail(context)
    // A session that waits for input gets none after the end of the client's half.
    if isClosing || hasInputEnded && session.mayRead {
      context.close(promise: nil)
    } else {
      goOnReading(context)
    }
  }

  /// Begins and ends the time of a mail. A mail that goes on keeps the timer that it has.
  private func watchMail(_ context: ChannelHandlerContext) {
    guard session.isReceivingMail else {
      mailEnd?.cancel()
      return mailEnd = nil
    }
    mailEnd = mailEnd ?? after(options.mailTime, context: context) { $0.mailTimedOut() }
  }

  private func watchProgress(_ context: ChannelHandlerContext) {
    let loop = context.eventLoop
    let patience = SmtpPatience(options, from: loop.now)
    let bound = NIOLoopBoundBox((self, context, patience), eventLoop: loop)
    tick = loop.scheduleRepeatedTask(
      initialDelay: patience.interval, delay: patience.interval
    ) { task in
      let (handler, context, _) = bound.value
      let isCrowded = handler.service.sessions.isNearlySpent
      let isOver = bound.value.2.isOver(handler.session, isCrowded: isCrowded, at: loop.now)
      guard isOver else { return }
      task.cancel()
      handler.session.timedOut()
      handler.run(context)
    }
  }

  /// Calls the session after some time. The timer is cancelled when the connection ends.
  private func after(
    _ time: Duration, context: ChannelHandlerContext,
    change: @escaping @Sendable (inout SmtpSession) -> Void
  ) -> Scheduled<Void> {
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    return context.eventLoop.scheduleTask(in: TimeAmount(time)) {
      let (handler, context) = bound.value
      change(&handler.session)
      handler.run(context)
    }
  }

  private func flush(_ output: inout ByteBuffer, context: ChannelHandlerContext) {
    guard output.readableBytes > 0 else { return }
    context.writeAndFlush(wrapOutboundOut(output), promise: nil)
    output.clear()
  }

  private func begin(_ action: SmtpSession.Action, context: ChannelHandlerContext) {
    let service = service
    switch action {
    case .check(let stage, let address):
      // Without faults, which is nearly always, a stage costs no task.
      guard !service.faults.areNone else { return session.checked(.goesOn) }
      let user = session.userName
      check = after(context) {
        await service.verdict(on: stage, address: address, user: user)
      } then: {
        $0.session.checked($1)
      }
    case .prepareTLS:
      _ = after(context) {
        await service.tlsContext()
      } then: {
        $0.tls = $1
        $0.session.tlsIsReady($1 != nil)
      }
    case .keep(let mail):
      _ = after(context) {
        await service.keep(mail)
      } then: {
        $0.session.kept($1)
        $0.room = []
      }
    case .reply, .beginTLS, .close: break
    }
  }

  /// Does what takes time elsewhere, and goes on with its outcome on the loop.
  ///
  /// The outcome may come after the connection has ended. The session gets it all the same: it
  /// ignores what it does not wait for.
  private func after<Value: Sendable>(
    _ context: ChannelHandlerContext, work: @escaping @Sendable () async -> Value,
    then take: @escaping @Sendable (SmtpConnectionHandler, Value) -> Void
  ) -> Task<Void, Never> {
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    let promise = context.eventLoop.makePromise(of: Value.self)
    promise.futureResult.whenSuccess { value in
      let (handler, context) = bound.value
      take(handler, value)
      handler.run(context)
    }
    return promise.completeWithTask(work)
  }

  private func beginTLS(_ context: ChannelHandlerContext) {
    guard let tls else { return context.close(promise: nil) }
    do {
      // Before this handler, so that everything that is read next is decrypted.
      try context.pipeline.syncOperations.addHandler(
        NIOSSLServerHandler(context: tls), position: .first)
    } catch {
      context.close(promise: nil)
    }
  }

  // MARK: What the client does

  func handlerAdded(context: ChannelHandlerContext) {
    // A channel may be active before its handlers are there.
    if context.channel.isActive { greet(context) }
  }

  func channelActive(context: ChannelHandlerContext) {
    greet(context)
    context.fireChannelActive()
  }

  private func greet(_ context: ChannelHandlerContext) {
    guard place == nil else { return }
    place = service.sessions.reserve(1)
    guard place != nil else {
      var output = ByteBuffer(bytes: SmtpReply.tooManySessions.bytes)
      flush(&output, context: context)
      return context.close(promise: nil)
    }
    sessionEnd = after(options.sessionTime, context: context) { $0.sessionTimedOut() }
    watchProgress(context)
    run(context)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    session.received(unwrapInboundIn(data).readableBytesView)
    run(context)
    account()
  }

  /// Accounts for the mail that is being received. Where all mails together exceed the bound, this
  /// one is refused, and its bytes are let go at once.
  private func account() {
    let needed = session.messageBytes / Self.share
    guard needed > 0 else { return room = [] }
    while room.count < needed {
      guard let more = service.bytes.reserve(Self.share) else {
        session.refuseMessage()
        return room = []
      }
      room.append(more)
    }
  }

  /// Holds reads while the session is at work, and while the client takes no replies: they would
  /// pile up here. The client then waits, by the flow control of TCP.
  func read(context: ChannelHandlerContext) {
    isReadHeld = !mayRead(context)
    if !isReadHeld { context.read() }
  }

  private func mayRead(_ context: ChannelHandlerContext) -> Bool {
    session.mayRead && context.channel.isWritable
  }

  private func goOnReading(_ context: ChannelHandlerContext) {
    guard isReadHeld, mayRead(context) else { return }
    isReadHeld = false
    context.read()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    goOnReading(context)
    context.fireChannelWritabilityChanged()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case TLSUserEvent.handshakeCompleted: session.tlsBegan()
    case is ChannelShouldQuiesceEvent:
      // A stage that a fault holds up would delay the server's end. Mails that are being stored are
      // waited for.
      check?.cancel()
      session.stop()
    case ChannelEvent.inputClosed: hasInputEnded = true
    default: return context.fireUserInboundEventTriggered(event)
    }
    run(context)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // With TLS 1.3 a client refuses the certificate when the handshake is over for the server.
    switch error {
    case NIOSSLError.handshakeFailed(let reason): service.tlsFailed(reason)
    case is BoringSSLError: service.tlsFailed(error)
    default: break
    }
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    check?.cancel()
    for end in [sessionEnd, mailEnd] { end?.cancel() }
    (sessionEnd, mailEnd) = (nil, nil)
    tick?.cancel()
    tick = nil
    place = nil
    room = []
    context.fireChannelInactive()
  }
}
