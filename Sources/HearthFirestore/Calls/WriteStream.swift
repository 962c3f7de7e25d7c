import HearthCrypto
import HearthErrors
import HearthFirestoreProtos
import SwiftProtobuf

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Firestore {
  /// Serves one Write stream: a handshake, then batches of writes in their order. The first batch
  /// that fails ends the stream with its status.
  ///
  /// One task reads, commits and answers, so there is at most one batch under way, and a client
  /// that does not read is not read either. Nothing is kept of the stream: it ends with its
  /// requests, and is not resumed.
  package func write<Requests: AsyncSequence & Sendable>(
    _ requests: Requests, as resolve: @escaping CallerResolution,
    send: @escaping @Sendable (WriteResponse) async throws -> Void
  ) async throws where Requests.Element == WriteRequest {
    var database: DatabaseName?
    var caller = FirestoreCaller.nobody
    var sequence: Int64 = 0
    for try await request in requests {
      sequence += 1
      // Clients send the latest token back. It is not read.
      let token = withUnsafeBytes(of: sequence.bigEndian) { Data($0) }
      guard let opened = database else {
        // Only the handshake has to name the database.
        let named = try DatabaseName(request.database)
        caller = try await resolve(named)
        database = named
        guard request.writes.isEmpty else {
          throw APIError.invalid("The first request of a stream must not write.")
        }
        let id = request.streamID.isEmpty ? random.alphanumeric(20) : request.streamID
        try await send(
          .with {
            $0.streamID = id
            $0.streamToken = token
          })
        continue
      }
      guard !request.writes.isEmpty else {
        // A request without writes only asks for a token.
        try await send(.with { $0.streamToken = token })
        continue
      }
      if contends(opened, caller) { throw Transactions.contention }
      let ((_, results), time) = try await commit(request.writes, in: opened, caller: caller)
      try await send(
        .with {
          $0.streamToken = token
          $0.writeResults = results
          $0.commitTime = ProtoTimestamp(microseconds: time)
        })
    }
  }
}
