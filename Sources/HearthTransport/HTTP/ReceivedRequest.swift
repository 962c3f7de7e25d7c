import HTTPTypes
import HearthErrors
import NIOCore

/// A request that was read to its end, or the reason for which it is not.
package struct ReceivedRequest: Sendable {
  /// Nil where what came is not a request of HTTP.
  let head: HTTPRequest?
  /// As it was sent, perhaps compressed.
  let body: Result<ByteBuffer, APIError>
  /// Keeps the bytes of a large body accounted for.
  let reservations: [ByteBudget.Reservation]
}

/// A client as the server sees it: a connection of HTTP/1.1, or a stream of HTTP/2.
package struct ConnectedClient: Sendable {
  /// Has what a request of the client asks for done, and writes the answer. Returns whether another
  /// request may follow.
  typealias Answer = @Sendable (ReceivedRequest, ConnectedClient) async throws -> Bool

  let channel: any Channel
  let remoteAddress: String
  /// The answers of HTTP/2 say nothing about the connection.
  let isHTTP2: Bool
  /// Comes when the client has gone, or sends no more. A browser that closes its sending half has
  /// closed both.
  let disconnect: Signal
}
