import Testing

@testable import HearthWebChannel

/// A stream's other end, as the JavaScript SDK has it.
struct Client: Sendable {
  static let path = "/google.firestore.v1.Firestore/Listen/channel"
  static let database = "database=projects%2Fp%2Fdatabases%2F(default)"

  let server: WebChannelServer
  let id: String

  /// Shakes hands; the first message goes with it.
  init(_ server: WebChannelServer, first: String = "hello") throws {
    self.server = server
    let reply = Whole(
      server.respond(
        to: .post(
          "RID=7&CVER=22&X-HTTP-Session-Id=gsessionid", body: "count=1&ofs=0&req0___data__=\(first)"
        )))
    let body = try #require(reply)
    #expect(body.status == 200)
    let parts = body.text.split(separator: #"""#)
    id = String(try #require(parts.count > 3 ? parts[3] : nil))
  }

  /// Says something; what comes back is the report.
  func say(_ body: String, acknowledging array: Int = 0) -> Whole? {
    Whole(server.respond(to: .post("SID=\(id)&RID=8&AID=\(array)", body: body)))
  }

  /// Asks to hear; `nil` where the answer is not a stream.
  func listen(acknowledging array: Int = 0, _ more: String = "CI=0") -> Answer? {
    let request = ChannelRequest.get("SID=\(id)&RID=rpc&AID=\(array)&TYPE=xmlhttp&\(more)")
    guard case .stream(200, let headers, let chunks) = server.respond(to: request) else {
      return nil
    }
    return Answer(headers: headers, chunks: chunks)
  }

  func hangUp() -> Whole? {
    Whole(server.respond(to: .post("SID=\(id)&RID=9&TYPE=terminate", body: "")))
  }
}

/// What a GET brings.
struct Answer: Sendable {
  var headers: [ChannelHeader]
  var chunks: ChannelChunks

  /// The next chunk; `nil` at the end.
  func next() async -> String? {
    for await chunk in chunks { return String(decoding: chunk, as: UTF8.self) }
    return nil
  }
}

extension WebChannelServer {
  /// Returns when no session is left: one may be seen to have ended before it is removed.
  func isEmptied() async {
    while sessionCount > 0, !Task.isCancelled { await Task.yield() }
  }
}

struct Whole: Equatable {
  var status: Int
  var headers: [ChannelHeader]
  var text: String

  init?(_ reply: ChannelReply) {
    guard case .whole(let status, let headers, let body) = reply else { return nil }
    self.status = status
    self.headers = headers
    text = String(decoding: body, as: UTF8.self)
  }
}

extension ChannelRequest {
  static func post(_ query: String, body: String, headers: [ChannelHeader] = []) -> Self {
    ChannelRequest(
      method: "POST", path: Client.path, query: "VER=8&\(Client.database)&\(query)&zx=a&t=1",
      headers: headers, body: Array(body.utf8))
  }

  static func get(_ query: String, headers: [ChannelHeader] = []) -> Self {
    ChannelRequest(
      method: "GET", path: Client.path, query: "VER=8&\(Client.database)&\(query)&zx=a&t=1",
      headers: headers)
  }
}

/// A frame of that JSON, which is ASCII.
func frame(_ json: String) -> String { "\(json.utf8.count)\n\(json)" }

/// Repeats each message in an array until the client goes.
let echo: WebChannelServer.Handler = { _, messages, send in
  for await message in messages { await send(#"{"echo":"\#(message)"}"#) }
}

/// Says nothing until the client goes.
let silence: WebChannelServer.Handler = { _, messages, _ in
  for await _ in messages {}
}
