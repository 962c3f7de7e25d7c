package import HTTPTypes
package import HearthOperations
package import HearthTokens
import HearthWire

/// One HTTP request, read to its end.
package struct IncomingCall: Sendable {
  package let method: String
  /// The path as it was sent, still percent-encoded, without the query.
  package let path: Substring
  /// The raw query, without its `?`; empty when there is none.
  package let query: Substring
  /// All headers but Host.
  package let headers: HTTPFields
  /// The Host header (HTTP/2: `:authority`).
  package let host: String?
  package let body: [UInt8]
  /// The address of the client's end of the connection, without its port.
  package let remoteAddress: String
  package let servedPort: ServedPort
  /// Whether it came over TLS.
  package let isSecure: Bool
  /// The number of the call in the request log that this one repeats.
  package var replayOf: Int64?

  package init(
    method: String, target: String, headers: HTTPFields = HTTPFields(), host: String?,
    body: [UInt8] = [], remoteAddress: String = "127.0.0.1", servedPort: ServedPort,
    isSecure: Bool = false
  ) {
    let mark = target.firstIndex(ofByte: UInt8(ascii: "?")) ?? target.endIndex
    self.method = method
    path = target[..<mark]
    query = target[mark...].dropFirst()
    self.headers = headers
    self.host = host
    self.body = body
    self.remoteAddress = remoteAddress
    self.servedPort = servedPort
    self.isSecure = isSecure
  }
}

/// One of the listeners. Auth, Firestore, the console and dialects serve everything; they differ in
/// what `GET /` answers and in how the tokens are signed that they mint.
package struct ServedPort: Sendable {
  package enum Kind: String, Sendable {
    case auth, firestore, console, dialect, hub, mailAPI
    /// Google's hosts, by their names.
    case google
    /// The metadata server alone, without TLS.
    case metadata
  }

  package let kind: Kind
  /// Whether it is reached by the names of Google's hosts.
  package var isOfGoogle: Bool { kind == .google || kind == .metadata }
  package let tokenMode: TokenMode
  /// The port that a dialect was given; nil for the server's own ports.
  package let dialectPort: Int?

  package init(_ kind: Kind, tokenMode: TokenMode, dialectPort: Int? = nil) {
    self.kind = kind
    self.tokenMode = tokenMode
    self.dialectPort = dialectPort
  }
}

extension IncomingCall {
  /// The header `Authorization`. Nearly every call has one; the subscript, which joins several to a
  /// list, takes ten times as long for it.
  package var authorization: String? {
    let values = headers[values: .authorization]
    return values.count > 1 ? headers[.authorization] : values.first
  }

  /// Whether a page of the console made it, at the console's own port.
  package var isOfConsole: Bool {
    servedPort.kind == .console && headers[.hearthClient] == "console"
  }
}

/// What goes back on the wire. `Content-Length` is added by the listener.
package struct OutgoingReply: Sendable {
  package var status: Int
  package var headers: HTTPFields
  package var body: [UInt8]
  /// Keeps a large body accounted for until it is written.
  package var pending: LargeAnswers.Answer?
  /// An answer that comes bit by bit, in place of `body`.
  package var stream: ReplyStream?
  /// What a fault does to the connection.
  package var fault: DeliveryFault?

  package init(status: Int, headers: HTTPFields = HTTPFields(), body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

/// How an answer fails to arrive.
package enum DeliveryFault: Sendable {
  case drop
  case slow(bytesPerSecond: Int)
}

extension IncomingCall {
  /// The same call to another path.
  package func at(_ path: String) -> IncomingCall {
    var call = IncomingCall(
      method: method, target: query.isEmpty ? path : "\(path)?\(query)", headers: headers,
      host: host, body: body, remoteAddress: remoteAddress, servedPort: servedPort,
      isSecure: isSecure)
    call.replayOf = replayOf
    return call
  }
}

extension OutgoingReply {
  /// Says in a header who answers in Google's place.
  func marked(for port: ServedPort) -> OutgoingReply {
    guard port.isOfGoogle else { return self }
    var reply = self
    reply.headers[.hearth] = "as-google"
    return reply
  }
}
