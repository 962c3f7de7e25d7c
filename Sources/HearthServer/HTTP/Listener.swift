import HTTPTypes
import HearthCore
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes
import NIOPosix
import ServiceLifecycle

/// One port: reads requests, has them answered, writes the answers.
struct Listener: Sendable {
  typealias Respond = @Sendable (IncomingCall) async -> OutgoingReply

  let door: Door
  let host: String
  let port: Int
  let limits: Limits
  let grpc: AdoptedConnections
  let streams: OpenStreams
  let logger: Logger
  let respond: Respond

  /// Serves until it is told to stop. `onBound` hears the port, which matters where 0 was asked for.
  func run(onBound: @escaping @Sendable (Int) async -> Void) async throws {
    let limits = limits
    // Hummingbird's own lines are for whoever looks into a connection, not for users.
    var logger = logger
    if logger.logLevel > .debug { logger.logLevel = .critical }
    let connections = HTTP1Connections(limits: limits, answer: answer)
    let sharing = PortSharing(
      http1: connections, grpc: grpc, decisionTime: .seconds(limits.requestTime))
    let server = sharing.server(
      configuration: ServerConfiguration(
        address: .hostname(host, port: port),
        availableConnectionsDelegate: MaximumAvailableConnections(
          limits.connections, logger: logger)),
      onServerRunning: { await onBound($0.localAddress?.port ?? port) },
      eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: logger)
    try await server.run()
  }

  /// Whether the connection is good for another request.
  private func answer(
    _ request: ReceivedRequest, from remoteAddress: String, _ channel: any Channel
  ) async throws -> Bool {
    let head = request.head
    let body: [UInt8]
    do throws(APIError) {
      body = try expand(try request.body.get(), head)
    } catch {
      try await write(refusal(error, head), for: head, closing: true, channel)
      return false
    }
    let call = IncomingCall(
      method: head.method.rawValue, target: head.path ?? "/", headers: head.headerFields,
      host: head.authority ?? Self.authority(channel.localAddress), body: body,
      remoteAddress: remoteAddress, door: door)
    let reply = await respond(call)
    // As `EventLoopExecutor.stage` says: answers go out together.
    await Task.yield()
    if case .drop? = reply.fault {
      channel.close(promise: nil)
      return false
    }
    try await write(reply, for: head, closing: false, channel)
    return head.headerFields[.connection]?.lowercased() != "close"
  }

  /// What HTTP/1.0 leaves out: the address that the client has reached us at.
  private static func authority(_ address: SocketAddress?) -> String? {
    guard let address, let ip = address.ipAddress, let port = address.port else { return nil }
    return ip.contains(":") ? "[\(ip)]:\(port)" : "\(ip):\(port)"
  }

  private func expand(_ body: ByteBuffer, _ head: HTTPRequest) throws(APIError) -> [UInt8] {
    let encoding = head.headerFields[.contentEncoding]?.lowercased()
    let body = Array(buffer: body)
    do throws(Inflate.Failure) {
      switch encoding {
      case "gzip", "x-gzip": return try Inflate.gzip(body, atMost: limits.body)
      case "deflate": return try Inflate.deflate(body, atMost: limits.body)
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
    _ reply: OutgoingReply, for request: HTTPRequest, closing: Bool, _ channel: any Channel
  ) async throws {
    if let stream = reply.stream { return try await write(stream, of: reply, to: channel) }
    if case .slow(let rate)? = reply.fault {
      let stream = ReplyStream(chunks: Self.slowly(reply.body, rate)) {}
      return try await write(stream, of: reply, to: channel)
    }
    var head = HTTPResponse(status: .init(code: reply.status), headerFields: reply.headers)
    let isBodiless = reply.status == 204 || reply.status == 304
    if !isBodiless { head.headerFields[.contentLength] = String(reply.body.count) }
    if closing { head.headerFields[.connection] = "close" }
    channel.write(HTTPResponsePart.head(head), promise: nil)
    if !isBodiless, request.method != .head, !reply.body.isEmpty {
      channel.write(HTTPResponsePart.body(ByteBuffer(bytes: reply.body)), promise: nil)
    }
    // Who does not read its answers gets no more of them.
    if channel.isWritable {
      channel.writeAndFlush(HTTPResponsePart.end(nil), promise: nil)
    } else {
      try await channel.writeAndFlush(HTTPResponsePart.end(nil))
    }
  }

  /// Bit by bit, and each bit at once.
  private func write(
    _ stream: ReplyStream, of reply: OutgoingReply, to channel: any Channel
  ) async throws {
    let departure = try await channel.pipeline.handler(type: Departure.self).get()
    departure.whenItComes { stream.hangUp() }
    let forget = streams.add(stream.hangUp)
    defer {
      departure.whenItComes(nil)
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
