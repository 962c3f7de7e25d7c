import NIOCore
import NIOHTTP1
import NIOPosix

/// A client for the commands that ask a running server. Foundation's would bring libcurl and all of
/// Foundation into the binary.
struct LoopbackClient {
  struct Reply {
    let status: Int
    let body: [UInt8]
  }

  let host: String
  let port: Int

  /// `http://127.0.0.1:4000` or `127.0.0.1:4000`.
  init?(_ address: String) {
    let bare = address.replacing("http://", with: "").prefix { $0 != "/" }
    guard let colon = bare.lastIndex(of: ":"), let port = Int(bare[bare.index(after: colon)...])
    else { return nil }
    host = bare[..<colon].filter { $0 != "[" && $0 != "]" }
    self.port = port
  }

  func get(_ path: String) async throws -> Reply { try await send("GET", path, body: nil) }

  func send(_ method: String, _ path: String, body: [UInt8]?) async throws -> Reply {
    let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connectTimeout(.seconds(5))
    let channel = try await bootstrap.connect(host: host, port: port) { channel in
      channel.eventLoop.makeCompletedFuture {
        try channel.pipeline.syncOperations.addHTTPClientHandlers()
        return try NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>(
          wrappingChannelSynchronously: channel)
      }
    }
    return try await channel.executeThenClose { inbound, outbound in
      var headers: HTTPHeaders = ["Host": "\(host):\(port)", "Connection": "close"]
      if let body {
        headers.add(name: "Content-Type", value: "application/json")
        headers.add(name: "Content-Length", value: String(body.count))
      }
      try await outbound.write(
        .head(
          HTTPRequestHead(
            version: .http1_1, method: HTTPMethod(rawValue: method), uri: path, headers: headers)))
      if let body { try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: body)))) }
      // The declared length completes the request, so that the server may have answered and closed
      // by now. The answer is here all the same.
      try? await outbound.write(.end(nil))
      var status = 0
      var received: [UInt8] = []
      for try await part in inbound {
        switch part {
        case .head(let head): status = Int(head.status.code)
        case .body(let buffer): received.append(contentsOf: buffer.readableBytesView)
        case .end: return Reply(status: status, body: received)
        }
      }
      return Reply(status: status, body: received)
    }
  }
}
