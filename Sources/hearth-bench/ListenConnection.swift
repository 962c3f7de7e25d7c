import HearthFirestoreProtos
import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import SwiftProtobuf

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A connection of HTTP/2 with Listen streams of gRPC.
///
/// Two measurements need that of a client, and no more: a whole one would be compiled and fetched by
/// everybody who builds Hearth.
struct ListenConnection {
  private typealias Payload = HTTP2Frame.FramePayload

  private let multiplexer: NIOHTTP2Handler.AsyncStreamMultiplexer<Void>

  init(port: Int) async throws {
    multiplexer = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .connect(host: "127.0.0.1", port: port) { channel in
        channel.configureAsyncHTTP2Pipeline(mode: .client) { $0.close() }
      }
  }

  /// Listens to a document until the task is cancelled.
  func listen(
    to document: String, _ hear: (Google_Firestore_V1_Document) -> Void
  ) async throws {
    let stream = try await multiplexer.openStream { channel in
      channel.eventLoop.makeCompletedFuture {
        try NIOAsyncChannel<Payload, Payload>(wrappingChannelSynchronously: channel)
      }
    }
    try await stream.executeThenClose { inbound, outbound in
      try await outbound.write(.headers(.init(headers: Self.headers)))
      try await outbound.write(.data(.init(data: .byteBuffer(try Self.request(document)))))
      var received = ByteBuffer()
      for try await case .data(let part) in inbound {
        guard case .byteBuffer(var bytes) = part.data else { continue }
        received.writeBuffer(&bytes)
        while let message = received.readMessage() {
          let response = try Google_Firestore_V1_ListenResponse(serializedBytes: message)
          if case .documentChange(let change)? = response.responseType { hear(change.document) }
        }
        received.discardReadBytes()
      }
    }
    throw Command.Failure("a listener has ended")
  }

  private static let headers: HPACKHeaders = [
    ":method": "POST", ":scheme": "http", ":authority": "127.0.0.1",
    ":path": "/google.firestore.v1.Firestore/Listen", "te": "trailers",
    "content-type": "application/grpc", "authorization": "Bearer owner",
  ]

  private static func request(_ document: String) throws -> ByteBuffer {
    let request = Google_Firestore_V1_ListenRequest.with {
      $0.database = "projects/\(Server.project)/databases/(default)"
      $0.addTarget.targetID = 1
      $0.addTarget.documents.documents = ["\(Server.documents)/\(document)"]
    }
    let bytes: [UInt8] = try request.serializedBytes()
    var frame = ByteBuffer()
    frame.writeInteger(UInt8(0))
    frame.writeInteger(UInt32(bytes.count))
    frame.writeBytes(bytes)
    return frame
  }
}

extension ByteBuffer {
  /// The next message of gRPC, if all of it is there.
  fileprivate mutating func readMessage() -> [UInt8]? {
    guard let length = getInteger(at: readerIndex + 1, as: UInt32.self),
      let message = getBytes(at: readerIndex + 5, length: Int(length))
    else { return nil }
    moveReaderIndex(forwardBy: 5 + message.count)
    return message
  }
}
