import Firestore
import HearthCore
import HearthStore

/// A call that was answered.
struct AnsweredCall: Sendable {
  let project: String
  let method: String
  let path: Substring
  var query: Substring = ""
  let operation: String
  /// What a call is about whose path does not tell.
  var resource: String?
  let status: Int
  let duration: Duration
  /// Why it was refused: the code alone, because messages may repeat what was sent.
  let error: ErrorCode?
  var body: [UInt8] = []
}

/// Takes note of each call, whichever way it came: for people who look at the log, and for those
/// who watch.
struct Journal: Sendable {
  let requests: RequestLog
  private let server: ServerFacts

  init(_ server: ServerFacts, bytes: Int) {
    requests = RequestLog(bytes: bytes)
    self.server = server
  }

  func note(_ call: AnsweredCall) {
    requests.add(call, at: server.clocks.now(of: call.project))
    guard server.changes.isWatched else { return }
    let members = JSON.members([
      "operation": .string(call.operation), "status": .int(Int64(call.status)),
      "error": (call.error?.name).json,
    ])
    var changes = [Change.event(project: call.project, name: "request", members)]
    if let error = call.error, Self.isOfToken(error) {
      changes.append(.event(project: call.project, name: "token.refused", members))
    }
    server.changes.publish(changes)
  }

  /// Firestore has one code for every token that is not good, and for nothing else.
  private static func isOfToken(_ error: ErrorCode) -> Bool {
    tokenErrors.contains(error)
  }

  private static let tokenErrors: Set<ErrorCode> = [
    .credentialTooOld, .invalidCustomToken, .invalidIDToken, .invalidRefreshToken, .tokenExpired,
    .unauthenticated,
  ]
}
