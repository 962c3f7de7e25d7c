import HearthErrors
import HearthFirestore
import HearthOperations
import HearthTransport

/// A call of Firestore that came over gRPC or WebChannel. For what faults and the request log say
/// of it, it is named like the same call over REST.
struct FirestoreCall: Sendable {
  /// The id of the same call over REST.
  let operation: String
  /// Where it came in.
  let path: String
  /// The header or metadata as it came; nil without one.
  let authorization: String?
  let app: Admission.PresentedApp
  /// The default project where the call names none.
  let project: String
  /// The database, collection or document that it names; nil where it named none.
  let resource: String?

  /// How large its answer may become. While many answers have not been read, a call with a large
  /// one waits for room.
  var size = LargeAnswers.Size.document
  /// What its queries miss; nil where nobody wants to know.
  var missed: MissedIndexes?
  /// What its rules have evaluated.
  let evaluated = EvaluatedRules()

  /// The errors of a call are those of the API; what collects has no types for errors.
  fileprivate func collect<Answer>(
    _ body: () async throws(APIError) -> Answer
  ) async throws(APIError) -> Answer {
    do {
      guard let missed else { return try await evaluated.collect(body) }
      return try await missed.collect { try await evaluated.collect(body) }
    } catch let error as APIError {
      throw error
    } catch {
      throw APIError(.internalError, message: "\(error)")
    }
  }
}

/// Carries out the calls of Firestore that come over gRPC and WebChannel. The dispatcher does the
/// same for REST. Faults and the request log are here, so that no method has to know of them.
struct FirestoreCalls: Sendable {
  let admission: Admission

  var defaultProject: String { admission.server.defaultProject }

  /// Answers a call that is one request, and notes it.
  ///
  /// - Throws: what the client is to be told, also where the call has happened and a fault loses
  ///   its answer.
  func answer<Output>(
    _ call: FirestoreCall, body: (FirestoreCaller) async throws(APIError) -> Output
  ) async throws(APIError) -> Output {
    var record = CallRecord()
    var isLost = false
    let output: Output
    do throws(APIError) {
      let party = try await admission.admit(call, record: &record)
      isLost = party.isLost
      // A token that is refused is reported only here, after the faults.
      let caller = try party.caller.get()
      output = try await EventLoopExecutor.stage { () throws(APIError) in
        try await LargeAnswers.Answer(call.size).whileMade { () async throws(APIError) in
          try await call.collect { () async throws(APIError) in try await body(caller) }
        }
      }
    } catch {
      admission.note(call, record: record, error: error)
      throw isLost ? Admission.lost : error
    }
    admission.note(call, record: record, error: nil)
    // It has happened, and the client cannot know.
    if isLost { throw Admission.lost }
    return output
  }
}
