import HTTPTypes
import HearthOperations
import NIOCore
import NIOHTTPTypes

/// Writes replies to clients, no faster than they read.
///
/// It runs in the task of a connection or of a stream, which writes one reply at a time. NIO takes
/// the writes over to the channel's loop in their order.
package struct ReplyDelivery: Sendable {
  package let streams: OpenStreams

  package init(streams: OpenStreams) {
    self.streams = streams
  }

  /// Returns when the reply has been written, or when the channel holds what is left of it and has
  /// room.
  ///
  /// `isLast` is for a reply after which the connection is closed. An error is one of the channel,
  /// mostly because the client has gone; the channel is of no use then.
  package func deliver(
    _ reply: OutgoingReply, for request: ReceivedRequest, to client: ConnectedClient, isLast: Bool
  ) async throws {
    if let stream = reply.stream { return try await write(stream, of: reply, to: client) }
    if case .slow(let rate)? = reply.fault {
      let stream = ReplyStream(chunks: Self.slowly(reply.body, rate: rate)) {}
      return try await write(stream, of: reply, to: client)
    }
    let channel = client.channel
    var head = HTTPResponse(status: .init(code: reply.status), headerFields: reply.headers)
    // RFC 9110 section 8.6: a 204 has no Content-Length, and that of a 304 would be the length of a
    // body that is not here.
    let isBodiless = reply.status == 204 || reply.status == 304
    if !isBodiless { head.headerFields[.contentLength] = String(reply.body.count) }
    // RFC 9113 section 8.2.2: a response with such a field is malformed in HTTP/2.
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

  /// Piece by piece, as the client takes them, so that the channel holds one piece at most. The
  /// body counts in `LargeAnswers` until the last piece is written; a client that reads nothing
  /// while too much is held loses its channel.
  private func writeLarge(_ reply: OutgoingReply, to channel: any Channel) async throws {
    let pending = reply.pending ?? LargeAnswers.Answer()
    pending.hold(reply.body.count)
    pending.whenStuck { channel.close(promise: nil) }
    var rest = reply.body[...]
    while !rest.isEmpty {
      let piece = ByteBuffer(bytes: rest.prefix(LargeAnswers.piece))
      rest = rest.dropFirst(LargeAnswers.piece)
      try await channel.writeAndFlush(HTTPResponsePart.body(piece))
      pending.progress()
    }
    try await channel.writeAndFlush(HTTPResponsePart.end(nil))
  }

  /// Bit by bit, and each bit at once. The length is not known, so NIO sends chunks over HTTP/1.1.
  /// Whichever comes first ends it: the chunks, the client, or the server's stop.
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

  private static func slowly(_ body: [UInt8], rate: Int) -> AsyncStream<[UInt8]> {
    AsyncStream { output in
      let work = Task {
        // Ten pieces a second, so that it crawls and does not jump. It is the client's time that
        // passes, also if a project's clock is frozen.
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
