import HTTPTypes
import HearthErrors
import HearthOperations
import HearthWire
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes
import NIOPosix
import ServiceLifecycle

/// One port: reads requests, has them answered, writes the answers.
struct Listener: Sendable {
  typealias Respond = @Sendable (IncomingCall) async -> OutgoingReply

  let servedPort: ServedPort
  let host: String
  let port: Int
  let limits: Limits
  let methods: GRPCMethods
  let streams: OpenStreams
  let logger: Logger
  let respond: Respond

  /// Serves until it is stopped. `onBound` hears the port, which matters where 0 was asked for.
  func run(onBound: @escaping @Sendable (Int) async -> Void) async throws {
    let load = PortLoad(most: limits.connections)
    // Hummingbird's own lines are for those who look into a connection, not for users.
    var logger = logger
    if logger.logLevel > .debug { logger.logLevel = .critical }
    let answer: HTTP1Connections.Answer = { request, remoteAddress, channel in
      try await self.answer(request, from: remoteAddress, channel, load)
    }
    let sharing = PortSharing(
      http1: HTTP1Connections(limits: limits, load: load, answer: answer),
      http2: HTTP2Connections(limits: limits, load: load, methods: methods, answer: answer),
      decisionTime: .seconds(limits.requestTime))
    let server = sharing.server(
      configuration: ServerConfiguration(
        address: .hostname(host, port: port),
        availableConnectionsDelegate: PortAdmission(load)),
      onServerRunning: { channel in
        let pause = AcceptPause(channel.eventLoop)
        try? await channel.pipeline.addHandler(pause, position: .first).get()
        await onBound(channel.localAddress?.port ?? port)
      },
      eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: logger)
    try await server.run()
  }

  /// Whether the connection is good for another request.
  private func answer(
    _ request: ReceivedRequest, from remoteAddress: String, _ channel: any Channel,
    _ load: PortLoad
  ) async throws -> Bool {
    let head = request.head
    let reply: OutgoingReply
    // Until the answer has been written, where it hangs.
    var turn: ByteBudget.Reservation?
    do throws(APIError) {
      let body = try request.body.get()
      if Self.waits(head) { turn = try Self.turn(load) }
      if Self.isLarge(body, head) {
        reply = try await WorkPool.shared.run { () async throws(APIError) in
          let room = await LargeRequests.shared.room(for: unpackedSize(body, head))
          defer { withExtendedLifetime(room) {} }
          return try await answer(head, body, remoteAddress, channel)
        }
      } else {
        reply = try await answer(head, body, remoteAddress, channel)
      }
      if let stream = reply.stream, turn == nil {
        do throws(APIError) {
          turn = try Self.turn(load)
        } catch {
          stream.hangUp()
          throw error
        }
      }
    } catch {
      try await write(refusal(error, head), for: request, closing: true, channel)
      return false
    }
    // As `EventLoopExecutor.stage` says: answers go out together.
    await Task.yield()
    if case .drop? = reply.fault {
      channel.close(promise: nil)
      return false
    }
    defer { withExtendedLifetime(turn) {} }
    try await write(reply, for: request, closing: false, channel)
    return head.headerFields[.connection]?.lowercased() != "close"
  }

  /// Whether the request asks to wait for something.
  private static func waits(_ head: HTTPRequest) -> Bool {
    guard let path = head.path, path.hasPrefix("/emulator/") else { return false }
    return path.contains("wait=")
  }

  private static func turn(_ load: PortLoad) throws(APIError) -> ByteBudget.Reservation {
    guard let turn = load.hanging.reserve(1) else {
      throw APIError(.unavailable, message: "Too many requests wait at this port already.")
    }
    return turn
  }

  /// Whether unpacking and reading the body takes longer than an event loop should be held.
  private static func isLarge(_ body: ByteBuffer, _ head: HTTPRequest) -> Bool {
    guard body.readableBytes > 4 << 10 else { return false }
    return body.readableBytes > 256 << 10 || head.headerFields[.contentEncoding] != nil
  }

  /// The most that the body may be unpacked to. The best that its encodings can do is a byte for
  /// a thousand.
  private func unpackedSize(_ body: ByteBuffer, _ head: HTTPRequest) -> Int {
    guard head.headerFields[.contentEncoding] != nil else { return body.readableBytes }
    return min(limits.body(of: head.path), body.readableBytes * 1032)
  }

  private func answer(
    _ head: HTTPRequest, _ body: ByteBuffer, _ remoteAddress: String, _ channel: any Channel
  ) async throws(APIError) -> OutgoingReply {
    let call = IncomingCall(
      method: head.method.rawValue, target: head.path ?? "/", headers: head.headerFields,
      host: head.authority ?? Self.authority(channel.localAddress), body: try expand(body, head),
      remoteAddress: remoteAddress, servedPort: servedPort)
    guard Self.waits(head) else { return await respond(call) }
    return await respond(toWaiting: call, channel)
  }

  /// A client that goes waits no longer. Any other operation is carried out all the same.
  private func respond(toWaiting call: IncomingCall, _ channel: any Channel) async -> OutgoingReply
  {
    let task = Task(executorPreference: EventLoopExecutor.shared) { await respond(call) }
    let disconnect = try? await channel.pipeline.handler(type: DisconnectHandler.self).get()
    disconnect?.whenItComes { task.cancel() }
    defer { disconnect?.whenItComes(nil) }
    return await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// What HTTP/1.0 leaves out: the address that the client has reached us at.
  private static func authority(_ address: SocketAddress?) -> String? {
    guard let address, let ip = address.ipAddress, let port = address.port else { return nil }
    return ip.contains(":") ? "[\(ip)]:\(port)" : "\(ip):\(port)"
  }

  private func expand(_ body: ByteBuffer, _ head: HTTPRequest) throws(APIError) -> [UInt8] {
    let encoding = head.headerFields[.contentEncoding]?.lowercased()
    let body = Array(buffer: body)
    let limit = limits.body(of: head.path)
    do throws(Inflate.Failure) {
      switch encoding {
      case "gzip", "x-gzip": return try Inflate.gzip(body, atMost: limit)
      case "deflate": return try Inflate.deflate(body, atMost: limit)
      default: return body
      }
    } catch {
      switch error {
      case .tooLarge: throw APIError(.payloadTooLarge)
      case .damaged:
        throw APIError(
          .parseError, message: "The body is not \(encoding ?? ""), as its encoding says.")
      }
    }
  }

  /// A page of another origin must be able to read why it was refused.
  private func refusal(_ error: APIError, _ request: HTTPRequest) -> OutgoingReply {
    var reply = ReplyWriter.refusal(error)
    if let origin = request.headerFields[.origin] {
      reply.headers[.accessControlAllowOrigin] = origin
      reply.headers[.vary] = "Origin"
    }
    Cors.allowPrivateNetwork(request.headerFields, &reply.headers)
    return reply
  }

  private func write(
    _ reply: OutgoingReply, for request: ReceivedRequest, closing: Bool, _ channel: any Channel
  ) async throws {
    if let stream = reply.stream { return try await write(stream, of: reply, to: channel) }
    if case .slow(let rate)? = reply.fault {
      let stream = ReplyStream(chunks: Self.slowly(reply.body, rate)) {}
      return try await write(stream, of: reply, to: channel)
    }
    var head = HTTPResponse(status: .init(code: reply.status), headerFields: reply.headers)
    let isBodiless = reply.status == 204 || reply.status == 304
    if !isBodiless { head.headerFields[.contentLength] = String(reply.body.count) }
    if closing, !request.isHTTP2 { head.headerFields[.connection] = "close" }
    channel.write(HTTPResponsePart.head(head), promise: nil)
    if reply.body.count > LargeAnswers.small, !isBodiless, request.head.method != .head {
      return try await writeLarge(reply, to: channel)
    }
    if !isBodiless, request.head.method != .head, !reply.body.isEmpty {
      channel.write(HTTPResponsePart.body(ByteBuffer(bytes: reply.body)), promise: nil)
    }
    // Who does not read its answers gets no more of them.
    if channel.isWritable {
      channel.writeAndFlush(HTTPResponsePart.end(nil), promise: nil)
    } else {
      try await channel.writeAndFlush(HTTPResponsePart.end(nil))
    }
  }

  /// Piece by piece, as the client takes them.
  private func writeLarge(_ reply: OutgoingReply, to channel: any Channel) async throws {
    let pending = reply.pending ?? LargeAnswers.shared.note(reply.body.count)
    pending?.whenStuck { channel.close(promise: nil) }
    var rest = reply.body[...]
    while !rest.isEmpty {
      let piece = ByteBuffer(bytes: rest.prefix(LargeAnswers.piece))
      rest = rest.dropFirst(LargeAnswers.piece)
      try await channel.writeAndFlush(HTTPResponsePart.body(piece))
      pending?.progress()
    }
    try await channel.writeAndFlush(HTTPResponsePart.end(nil))
  }

  /// Bit by bit, and each bit at once.
  private func write(
    _ stream: ReplyStream, of reply: OutgoingReply, to channel: any Channel
  ) async throws {
    let disconnect = try await channel.pipeline.handler(type: DisconnectHandler.self).get()
    disconnect.whenItComes { stream.hangUp() }
    let forget = streams.add(stream.hangUp)
    defer {
      disconnect.whenItComes(nil)
      forget()
    }
    let head = HTTPResponse(status: .init(code: reply.status), headerFields: reply.headers)
    try await channel.writeAndFlush(HTTPResponsePart.head(head))
    for await chunk in stream.chunks {
      try await channel.writeAndFlush(HTTPResponsePart.body(ByteBuffer(bytes: chunk)))
    }
    try await channel.writeAndFlush(HTTPResponsePart.end(nil))
  }

  private static func slowly(_ body: [UInt8], _ rate: Int) -> AsyncStream<[UInt8]> {
    AsyncStream { output in
      let work = Task {
        // Ten bits a second, so that it crawls and does not jump.
        let step = max(1, rate / 10)
        var rest = body[...]
        while !rest.isEmpty, !Task.isCancelled {
          output.yield(Array(rest.prefix(step)))
          rest = rest.dropFirst(step)
          try? await Task.sleep(for: .milliseconds(100))
        }
        output.finish()
      }
      output.onTermination = { _ in work.cancel() }
    }
  }
}
