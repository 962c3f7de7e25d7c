import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Writes replies to clients, no faster than they read.
struct ReplyDelivery: Sendable {
  let streams: OpenStreams

  /// `isLast` is for a reply after which the connection is closed.
  func deliver(
    _ reply: OutgoingReply, for request: ReceivedRequest, to client: ConnectedClient, isLast: Bool
  ) async throws {
    if let stream = reply.stream { return try await write(stream, of: reply, to: client) }
    if case .slow(let rate)? = reply.fault {
      let stream = ReplyStream(chunks: Self.slowly(reply.body, rate)) {}
      return try await write(stream, of: reply, to: client)
    }
    let channel = client.channel
    var head = HTTPResponse(status: .init(code: reply.status), headerFields: reply.headers)
    let isBodiless = reply.status == 204 || reply.status == 304
    if !isBodiless { head.headerFields[.contentLength] = String(reply.body.count) }
    if isLast, !client.isHTTP2 { head.headerFields[.connection] = "close" }
    channel.write(HTTPResponsePart.head(head), promise: nil)
    let sendsBody = !isBodiless && request.head?.method != .head
    if sendsBody, reply.body.count > LargeAnswers.small {
      return try await writeLarge(reply, to: channel)
    }
    if sendsBody, !reply.body.isEmpty {
      channel.write(HTTPResponsePart.body(ByteBuffer(bytes: reply.body)), promise: nil)
    }
    // A client that does not read its answers gets no more of them.
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
    _ stream: ReplyStream, of reply: OutgoingReply, to client: ConnectedClient
  ) async throws {
    client.disconnect.whenItComes { stream.hangUp() }
    let forget = streams.add(stream.hangUp)
    defer {
      client.disconnect.whenItComes(nil)
      forget()
    }
    let head = HTTPResponse(status: .init(code: reply.status), headerFields: reply.headers)
    try await client.channel.writeAndFlush(HTTPResponsePart.head(head))
    for await chunk in stream.chunks {
      try await client.channel.writeAndFlush(HTTPResponsePart.body(ByteBuffer(bytes: chunk)))
    }
    try await client.channel.writeAndFlush(HTTPResponsePart.end(nil))
  }

  private static func slowly(_ body: [UInt8], _ rate: Int) -> AsyncStream<[UInt8]> {
    AsyncStream { output in
      let work = Task {
        // Ten pieces a second, so that it crawls and does not jump. It is the client's time that passes,
        // also if a project's clock is frozen.
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
