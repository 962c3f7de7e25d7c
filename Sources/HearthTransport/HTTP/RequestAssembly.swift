import HTTPTypes
import HearthErrors
import NIOCore

/// Assembles one request after the other from its parts, within the bounds.
///
/// NIO's asynchronous channels hand on each part by itself, which takes longer than to read it:
/// record 0026.
///
/// A connection of HTTP/1.1 or a stream of HTTP/2 owns one, on its loop. It holds one body at a
/// time, bounded by `Limits.body(of:)`, and what it has reserved of the budget that all connections
/// share.
struct RequestAssembly {
  private static let encodings = ["identity", "gzip", "x-gzip", "deflate"]
  /// What a body may have without being accounted for.
  private static let smallBody = 256 << 10

  private let limits: Limits
  private let budget: ByteBudget
  private var head: HTTPRequest?
  private var body = ByteBuffer()
  private var reservations: [ByteBudget.Reservation] = []
  /// Bytes that the body may have before more is reserved.
  private var reserved = smallBody

  init(_ limits: Limits, budget: ByteBudget = .requests) {
    self.limits = limits
    self.budget = budget
  }

  /// Throws what can be said before the body has come.
  mutating func begin(_ head: HTTPRequest) throws(APIError) {
    self.head = head
    let encoding = head.headerFields[.contentEncoding]?.lowercased() ?? "identity"
    guard Self.encodings.contains(encoding) else {
      throw APIError(.unsupportedEncoding, detail: "content-encoding \(encoding)")
    }
    // By its subscript the header would be copied.
    let length = head.headerFields.first { $0.name == .contentLength }
    try reserve(length.flatMap { Int($0.value) } ?? 0)
  }

  mutating func append(_ part: ByteBuffer) throws(APIError) {
    try reserve(body.readableBytes + part.readableBytes)
    if body.readableBytes == 0 { body = part } else { body.writeImmutableBuffer(part) }
  }

  /// Accounts for a large body, all that is announced at once.
  private mutating func reserve(_ size: Int) throws(APIError) {
    guard size > min(reserved, limits.body) else { return }
    let bound = limits.body(of: head)
    guard size <= bound.bytes else { throw bound.refusal }
    guard size > reserved else { return }
    // A body in chunks announces no length; it reserves in steps, not for each part.
    let more = max(size - reserved, Self.smallBody)
    guard let reservation = budget.reserve(more) else {
      throw APIError(.unavailable, message: "The server holds too many large requests.")
    }
    reservations.append(reservation)
    reserved += more
  }

  /// The request, whole or refused; the next one may begin.
  mutating func finish(refusing refusal: APIError? = nil) -> ReceivedRequest {
    defer {
      head = nil
      body = ByteBuffer()
      reservations = []
      reserved = Self.smallBody
    }
    guard let refusal else {
      return ReceivedRequest(head: head, body: .success(body), reservations: reservations)
    }
    return ReceivedRequest(head: head, body: .failure(refusal), reservations: [])
  }
}
