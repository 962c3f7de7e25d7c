import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// A client for the commands that ask a running server. Foundation's would load libcurl into every
/// start of the server.
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

  func get(_ path: String) async throws -> Reply {
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
      let headers: HTTPHeaders = ["Host": "\(host):\(port)", "Connection": "close"]
      try await outbound.write(
        .head(HTTPRequestHead(version: .http1_1, method: .GET, uri: path, headers: headers)))
      try await outbound.write(.end(nil))
      var status = 0
      var body: [UInt8] = []
      for try await part in inbound {
        switch part {
        case .head(let head): status = Int(head.status.code)
        case .body(let buffer): body.append(contentsOf: buffer.readableBytesView)
        case .end: return Reply(status: status, body: body)
        }
      }
      return Reply(status: status, body: body)
    }
  }
}
