import HearthErrors
import HearthFirestore
import HearthOperations
import HearthTime
import HearthWire

/// A call of Firestore that came over gRPC or WebChannel.
struct FirestoreCall: Sendable {
  /// The id of the same call over REST.
  let operation: String
  /// Where it came in.
  let path: String
  let authorization: String?
  let project: String
  /// The database, collection or document that it names; nil where it named none.
  let resource: String?

  /// How large its answer may become.
  var size = LargeAnswers.Size.document

  static func operation(_ verb: String) -> String {
    "firestore.projects.databases.documents.\(verb)"
  }
}

/// What every call of Firestore over gRPC and WebChannel goes through, as those over HTTP go
/// through the dispatcher: who calls, faults, the log.
struct FirestoreCalls: Sendable {
  let credentials: FirestoreCredentials
  let faults: Faults
  let journal: Journal

  /// A dropped connection, as a client sees it: neither gRPC nor WebChannel has a connection for
  /// each call.
  static let lost = APIError(.unavailable, message: "Connection dropped by a fault.")

  /// Who calls, or why that is not accepted, and whether the answer is to be lost.
  struct Admission {
    let caller: Result<FirestoreCaller, APIError>
    var isLost = false
  }

  /// What the log says beside the call: who made it, and the faults that acted.
  struct Party {
    var caller: AnsweredCall.Caller?
    var fault: String?
  }

  /// Answers a call that is one request.
  func answer<Output>(
    _ call: FirestoreCall, _ body: (FirestoreCaller) async throws(APIError) -> Output
  ) async throws(APIError) -> Output {
    let start = ContinuousClock.now
    var isLost = false
    var party = Party()
    let output: Output
    do throws(APIError) {
      let admission = try await admit(call, &party)
      isLost = admission.isLost
      let caller = try admission.caller.get()
      output = try await EventLoopExecutor.stage { () throws(APIError) in
        if LargeAnswers.shared.isFull { await LargeAnswers.shared.room(for: call.size) }
        return try await body(caller)
      }
    } catch {
      note(call, since: start, error, party)
      throw isLost ? Self.lost : error
    }
    note(call, since: start, nil, party)
    // It has happened, and the client cannot know.
    if isLost { throw Self.lost }
    return output
  }

  /// Finds out who calls, because faults may be for one address only, and lets them befall the
  /// call. A token that is not good is no way around them.
  func admit(
    _ call: FirestoreCall, _ party: inout Party
  ) async throws(APIError) -> Admission {
    let caller = await caller(of: call)
    party.caller = (try? caller.get()).map(AnsweredCall.Caller.init)
    let effects = faults.effects(
      in: call.project, call.operation, email: (try? caller.get())?.email)
    party.fault = effects.words
    guard !effects.isEmpty else { return Admission(caller: caller) }
    switch try await effects.endure(credentials.server.clock) {
    case .isDropped: throw Self.lost
    case .goesOn(.drop?): return Admission(caller: caller, isLost: true)
    // Neither has a body that could trickle.
    case .goesOn(.slow?), .goesOn(nil): return Admission(caller: caller)
    }
  }

  private func caller(of call: FirestoreCall) async -> Result<FirestoreCaller, APIError> {
    do throws(APIError) {
      return .success(try await credentials.caller(call.authorization, project: call.project))
    } catch {
      return .failure(error)
    }
  }

  /// The body is not kept: what it measures would have to be found out for every call.
  func note(
    _ call: FirestoreCall, since start: ContinuousClock.Instant, _ error: APIError?,
    _ party: Party
  ) {
    journal.note(
      AnsweredCall(
        project: call.project, method: "POST", path: call.path[...], operation: call.operation,
        resource: call.resource, caller: party.caller, status: error?.httpStatus ?? 200,
        duration: ContinuousClock.now - start, error: error?.code, reason: error?.message,
        fault: party.fault))
  }
}

extension FirestoreCaller {
  /// The address in the caller's token.
  var email: String? { if case .user(let claims) = self { claims["email"]?.string } else { nil } }
}
