import HTTPTypes
import HearthCore
import HummingbirdCore
import Logging
import NIOCore
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
    let channel = HTTP1Channel(
      responder: { request, writer, channel in try await handle(request, writer, channel) },
      configuration: .init(
        additionalChannelHandlers: [RequestIntake(limits), Departure()],
        httpDecoderConfiguration: .init(
          maxHeaderFieldSize: limits.headers, maxHeaderListSize: limits.headers,
          maxHeaderFieldCount: 200)))
    let sharing = PortSharing(
      http1: channel, grpc: grpc, decisionTime: .seconds(limits.requestTime))
    let server = sharing.server(
      configuration: ServerConfiguration(
        address: .hostname(host, port: port),
        availableConnectionsDelegate: MaximumAvailableConnections(
          limits.connections, logger: logger)),
      onServerRunning: { await onBound($0.localAddress?.port ?? port) },
      eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: logger)
    try await server.run()
  }

  private func handle(
    _ request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel
  ) async throws {
    let body: [UInt8]
    do throws(APIError) {
      body = try await collect(request)
    } catch {
      try await write(refusal(error, request), for: request, closing: true, channel, writer)
      return
    }
    let call = IncomingCall(
      method: request.method.rawValue, target: request.head.path ?? "/", headers: request.headers,
      host: request.head.authority ?? Self.authority(channel.localAddress), body: body,
      remoteAddress: channel.remoteAddress?.ipAddress ?? "", door: door)
    let reply = await respond(call)
    // As `EventLoopExecutor.stage` says: answers go out together.
    await Task.yield()
    try await write(reply, for: request, closing: false, channel, writer)
  }

  /// What HTTP/1.0 leaves out: the address that the client has reached us at.
  private static func authority(_ address: SocketAddress?) -> String? {
    guard let address, let ip = address.ipAddress, let port = address.port else { return nil }
    return ip.contains(":") ? "[\(ip)]:\(port)" : "\(ip):\(port)"
  }

  private func collect(_ request: Request) async throws(APIError) -> [UInt8] {
    let encoding = request.headers[.contentEncoding]?.lowercased() ?? "identity"
    guard ["identity", "gzip", "x-gzip", "deflate"].contains(encoding) else {
      throw APIError(.unsupportedEncoding, "content-encoding \(encoding)")
    }
    if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limits.body {
      throw APIError(.payloadTooLarge)
    }
    do {
      let body = Array(buffer: try await request.body.collect(upTo: limits.body))
      switch encoding {
      case "gzip", "x-gzip": return try Inflate.gzip(body, atMost: limits.body)
      case "deflate": return try Inflate.deflate(body, atMost: limits.body)
      default: return body
      }
    } catch Inflate.Failure.tooLarge {
      throw APIError(.payloadTooLarge)
    } catch Inflate.Failure.damaged {
      throw APIError(.parseError, message: "The body is not \(encoding), as its encoding says.")
    } catch is NIOTooManyBytesError {
      throw APIError(.payloadTooLarge)
    } catch {
      throw APIError(.invalidArgument, "the body ended early")
    }
  }

  /// A page of another origin must be able to read why it was refused.
  private func refusal(_ error: APIError, _ request: Request) -> OutgoingReply {
    var reply = ReplyWriter.refusal(error)
    if let origin = request.headers[.origin] {
      reply.headers[.accessControlAllowOrigin] = origin
      reply.headers[.vary] = "Origin"
    }
    Cors.allowPrivateNetwork(request.headers, &reply.headers)
    return reply
  }

  private func write(
    _ reply: OutgoingReply, for request: Request, closing: Bool, _ channel: any Channel,
    _ writer: consuming ResponseWriter
  ) async throws {
    if case .drop? = reply.fault { throw ConnectionEnds() }
    if let stream = reply.stream {
      return try await write(stream, of: reply, to: channel, writer)
    }
    if case .slow(let rate)? = reply.fault {
      let stream = ReplyStream(chunks: Self.slowly(reply.body, rate)) {}
      return try await write(stream, of: reply, to: channel, writer)
    }
    var head = HTTPResponse(
      status: .init(code: reply.status), headerFields: reply.headers)
    let isBodiless = reply.status == 204 || reply.status == 304
    if !isBodiless { head.headerFields[.contentLength] = String(reply.body.count) }
    if closing { head.headerFields[.connection] = "close" }
    if isBodiless || request.method == .head || reply.body.isEmpty {
      try await writer.writeResponse(head)
    } else {
      try await writer.write(
        response: head, body: ResponseBody(byteBuffer: ByteBuffer(bytes: reply.body)))
    }
    if closing { throw ConnectionEnds() }
  }

  /// Bit by bit, and each bit at once.
  private func write(
    _ stream: ReplyStream, of reply: OutgoingReply, to channel: any Channel,
    _ writer: consuming ResponseWriter
  ) async throws {
    let departure = try await channel.pipeline.handler(type: Departure.self).get()
    departure.whenItComes { stream.hangUp() }
    let forget = streams.add(stream.hangUp)
    defer {
      departure.whenItComes(nil)
      forget()
    }
    let head = HTTPResponse(status: .init(code: reply.status), headerFields: reply.headers)
    var body = try await writer.writeHead(head)
    for await chunk in stream.chunks { try await body.write(ByteBuffer(bytes: chunk)) }
    try await body.finish(nil)
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

/// Thrown behind the last answer of a connection whose request was not read to its end.
private struct ConnectionEnds: Error {}
