import HearthErrors
import HearthFirestore
import HearthObservation
import HearthOperations
import HearthTime
import HearthTransport
import HearthWire
import Logging

/// The steps for Firestore.
extension Admission {
  /// A dropped connection, as a client sees it: neither gRPC nor WebChannel has a connection for
  /// each call.
  static let lost = APIError(.unavailable, message: "Connection dropped by a fault.")

  /// Who calls, or why that is not accepted, and whether the answer is to be lost.
  struct Party {
    let caller: Result<FirestoreCaller, APIError>
    /// The answer is made, and then not delivered.
    var isLost = false
  }

  /// Finds out who calls. A refused token is a result and not an error: faults act on such a call,
  /// too.
  func caller(
    _ authorization: String?, project: String, isConsole: Bool = false
  ) async -> Result<FirestoreCaller, APIError> {
    do throws(APIError) {
      return .success(
        try await credentials.caller(authorization, project: project, isConsole: isConsole))
    } catch {
      if server.google != nil, let reason = error.credentialProblem {
        logger.warning("A call of Firestore was refused: \(reason)")
      }
      return .failure(error)
    }
  }

  /// Finds out who makes a call over gRPC or WebChannel, because faults may be for one address only,
  /// and applies them.
  func admit(
    _ call: FirestoreCall, record: inout CallRecord
  ) async throws(APIError) -> Party {
    try checkShared(call)
    let caller = await checkApp(
      call.app, of: await caller(call.authorization, project: call.project),
      operation: call.operation, project: call.project, record: &record)
    record.caller = (try? caller.get()).map(AnsweredCall.Caller.init)
    let effects = effects(on: call.operation, in: call.project, email: caller.email, &record)
    guard !effects.isEmpty else { return Party(caller: caller) }
    switch try await effects.endure(server.clock) {
    case .isDropped: throw Self.lost
    case .goesOn(.drop?): return Party(caller: caller, isLost: true)
    // Neither has a body that could trickle.
    case .goesOn(.slow?), .goesOn(nil): return Party(caller: caller)
    }
  }

  /// Notes a call over gRPC or WebChannel. The body is not kept: its size would have to be computed
  /// for every call.
  ///
  /// - Returns: its number in the log; nil where it is in none.
  @discardableResult
  func note(_ call: FirestoreCall, record: CallRecord, error: APIError?) -> Int64? {
    guard logged(call.project) != nil else { return nil }
    var answered = AnsweredCall(
      project: call.project, method: "POST", path: call.path[...], operation: call.operation,
      resource: call.resource, status: error?.httpStatus ?? 200,
      duration: ContinuousClock.now - record.start, error: error?.code)
    answered.take(record, reason: error?.message)
    answered.explanation = error?.explanation ?? call.missed?.explanation
    answered.evaluated = call.evaluated.lines
    answered.isRepeatable = false
    return recorder.note(answered)
  }
}

extension Result<FirestoreCaller, APIError> {
  /// The address in the caller's token; nil where there is none, or a token that is refused.
  var email: String? {
    if case .success(let caller) = self { caller.email } else { nil }
  }
}

extension FirestoreCaller {
  /// The address in the token.
  var email: String? { if case .user(let claims) = self { claims["email"]?.string } else { nil } }
}
