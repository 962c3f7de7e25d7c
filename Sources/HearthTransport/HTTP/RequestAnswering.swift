import HTTPTypes
import HearthErrors
import HearthOperations
import HearthWire
import NIOCore

/// Makes a call of a request that has been read, and has the reply delivered.
///
/// There is one for each port. It runs in the tasks of the port's connections and streams, on the
/// thread that has read the request unless the body is large (record 0023).
package struct RequestAnswering: Sendable {
  package let servedPort: ServedPort
  /// Whether the connection is encrypted with TLS.
  package var isSecure = false
  package let limits: Limits
  package let delivery: ReplyDelivery
  package let rows: RowsAhead
  package let respond: @Sendable (IncomingCall) async -> OutgoingReply

  package init(
    servedPort: ServedPort, isSecure: Bool = false, limits: Limits, delivery: ReplyDelivery,
    rows: RowsAhead, respond: @escaping @Sendable (IncomingCall) async -> OutgoingReply
  ) {
    self.servedPort = servedPort
    self.isSecure = isSecure
    self.limits = limits
    self.delivery = delivery
    self.rows = rows
    self.respond = respond
  }

  /// Returns whether the connection is good for another request. After a refusal it is not: bytes
  /// of the request may be unread. A refusal is written like any reply, so only an error of the
  /// channel is thrown.
  package func answer(
    _ request: ReceivedRequest, of client: ConnectedClient, load: PortLoad
  ) async throws -> Bool {
    let reply: OutgoingReply
    // Until the answer has been written, where it hangs.
    var turn: ByteBudget.Reservation?
    do throws(APIError) {
      let body = try request.body.get()
      guard let head = request.head else { throw APIError(.invalidArgument) }
      let waits = rows.waits(head)
      if waits { turn = try Self.turn(load) }
      if Self.isLarge(body, head: head) {
        reply = try await WorkPool.shared.run { () async throws(APIError) in
          // Within the pool, whose places bound how many wait for room.
          let room = await LargeRequests.shared.room(for: unpackedSize(body, head: head))
          defer { withExtendedLifetime(room) {} }
          return try await self.reply(to: head, body: body, client: client, waits: waits)
        }
      } else {
        reply = try await self.reply(to: head, body: body, client: client, waits: waits)
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
      let refusal = self.refusal(error, head: request.head).marked(for: servedPort)
      try await delivery.deliver(refusal, for: request, to: client, isLast: true)
      return false
    }
    // As `EventLoopExecutor.stage` says: answers go out together.
    await Task.yield()
    if case .drop? = reply.fault {
      client.channel.close(promise: nil)
      return false
    }
    defer { withExtendedLifetime(turn) {} }
    let isLast = request.head?.headerFields.listsConnection("close") ?? false
    try await delivery.deliver(
      reply.marked(for: servedPort), for: request, to: client, isLast: isLast)
    return !isLast
  }

  private static func turn(_ load: PortLoad) throws(APIError) -> ByteBudget.Reservation {
    guard let turn = load.hanging.reserve(1) else {
      throw APIError(.unavailable, message: "Too many requests wait at this port already.")
    }
    return turn
  }

  /// Whether unpacking and reading the body takes longer than an event loop should be held.
  private static func isLarge(_ body: ByteBuffer, head: HTTPRequest) -> Bool {
    guard body.readableBytes > 4 << 10 else { return false }
    return body.readableBytes > 256 << 10 || head.headerFields[.contentEncoding] != nil
  }

  /// The most that the body may be unpacked to. Deflate repeats 258 bytes with two bits at best,
  /// which is 1032 for one.
  private func unpackedSize(_ body: ByteBuffer, head: HTTPRequest) -> Int {
    guard head.headerFields[.contentEncoding] != nil else { return body.readableBytes }
    return min(limits.body(of: head).bytes, body.readableBytes * 1032)
  }

  private func reply(
    to head: HTTPRequest, body: ByteBuffer, client: ConnectedClient, waits: Bool
  ) async throws(APIError) -> OutgoingReply {
    let call = IncomingCall(
      method: head.method.rawValue, target: head.path ?? "/", headers: head.headerFields,
      host: head.authority ?? Self.authority(client.channel.localAddress),
      body: try expand(body, head: head), remoteAddress: client.remoteAddress,
      servedPort: servedPort,
      isSecure: isSecure)
    guard waits else { return await respond(call) }
    return await respond(toWaiting: call, client)
  }

  /// A client that goes waits no longer. Any other operation is carried out all the same.
  ///
  /// The call has a task of its own for the signal to cancel. Such a task inherits no executor, so
  /// it is named.
  private func respond(
    toWaiting call: IncomingCall, _ client: ConnectedClient
  ) async -> OutgoingReply {
    let task = Task(executorPreference: EventLoopExecutor.shared) { await respond(call) }
    client.disconnect.whenItComes { task.cancel() }
    defer { client.disconnect.whenItComes(nil) }
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

  private func expand(_ body: ByteBuffer, head: HTTPRequest) throws(APIError) -> [UInt8] {
    let body = Array(buffer: body)
    guard let encoding = head.headerFields[.contentEncoding]?.lowercased() else { return body }
    let bound = limits.body(of: head)
    do throws(Inflate.Failure) {
      switch encoding {
      case "gzip", "x-gzip": return try Inflate.gzip(body, atMost: bound.bytes)
      case "deflate": return try Inflate.deflate(body, atMost: bound.bytes)
      default: return body
      }
    } catch {
      switch error {
      case .tooLarge: throw bound.refusal
      case .damaged:
        throw APIError(
          .parseError, message: "The body is not \(encoding), as its encoding says.")
      }
    }
  }

  /// A page of another origin must be able to read why it was refused. Without a head nobody can
  /// tell of which origin it is.
  private func refusal(_ error: APIError, head: HTTPRequest?) -> OutgoingReply {
    guard let head else {
      var reply = ReplyWriter.refusal(error)
      reply.headers[.accessControlAllowOrigin] = "*"
      return reply
    }
    return rows.refuse(error, head)
  }
}
