import HearthAuthControl
import HearthErrors
import HearthFirestore
import HearthIdentityToolkit
import HearthOperations
import HearthSQLite
import HearthSeeds
import HearthTime
import HearthTransport
import HearthWire

/// What of a project expires next, for people who move its clock: codes, sessions of factors, ID
/// tokens, and documents with a time to live.
enum ListUpcoming: ServerOperation {
  private static let most = 500

  static func run(
    _ request: ServerRequest, with control: ClockControl
  ) async throws -> OutgoingReply {
    let limit = try limit(request)
    let (project, server) = (request.project, control.server)
    let (store, firestore) = (control.store, control.firestore)
    let now = server.clocks.now(of: project)
    let found = try await WorkPool.shared.run { () throws(APIError) in
      let accounts = try store.transaction { transaction throws(APIError) in
        try UpcomingExpiries.list(
          limit,
          in: ProjectTransaction(transaction, projectId: project, tenantId: nil, server: server),
          at: now)
      }
      return accounts.map { ($0.at, $0.json(now)) }
        + (try firestore.upcomingDeletions(of: project)).map { ($0.at, $0.json(now)) }
    }
    let first = found.sorted { $0.0 < $1.0 }.prefix(limit)
    return ReplyWriter.json(
      .members(["now": .string(now.iso8601), "upcoming": .array(first.map(\.1))]))
  }

  private static func limit(_ request: ServerRequest) throws(APIError) -> Int {
    guard let text = request.wire.query["limit"].nonEmpty else { return 50 }
    guard let number = Int(text), number > 0 else {
      throw APIError(.invalidArgument, detail: "\"limit\" must be a whole number of at least 1")
    }
    return min(number, most)
  }
}

extension UpcomingExpiries.Expiry {
  fileprivate func json(_ now: Timestamp) -> JSON {
    .members([
      "kind": .string(kind), "at": .string(at.iso8601), "seconds": .int(at.seconds - now.seconds),
      "subject": subject.json, "detail": detail.json, "localId": localId.json,
    ])
  }
}

extension UpcomingDeletion {
  fileprivate func json(_ now: Timestamp) -> JSON {
    .members([
      "kind": "documents", "at": .string(at.iso8601), "seconds": .int(at.seconds - now.seconds),
      "subject": .string(group), "detail": .string(field),
      "database": .string(database.database), "count": .int(Int64(count)),
      "countIsLowerBound": isCut ? true : nil,
    ])
  }
}
