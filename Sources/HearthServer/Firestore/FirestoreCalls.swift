import HearthErrors
import HearthFirestore
import HearthOperations

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
  /// What its queries miss; nil where nobody wants to know.
  var missed: MissedIndexes?

  /// The operations that commit.
  static let commits = ["batchWrite", "commit", "createDocument", "delete", "patch", "write"]
    .map(operation)

  static func operation(_ verb: String) -> String {
    "firestore.projects.databases.documents.\(verb)"
  }

  fileprivate func collect<Answer>(
    _ body: () async throws(APIError) -> Answer
  ) async throws(APIError) -> Answer {
    guard let missed else { return try await body() }
    do {
      return try await missed.collect(body)
    } catch let error as APIError {
      throw error
    } catch {
      throw APIError(.internalError, message: "\(error)")
    }
  }
}

/// Carries out the calls of Firestore that come over gRPC and WebChannel.
struct FirestoreCalls: Sendable {
  let admission: Admission

  var defaultProject: String { admission.server.defaultProject }

  /// Answers a call that is one request.
  func answer<Output>(
    _ call: FirestoreCall, _ body: (FirestoreCaller) async throws(APIError) -> Output
  ) async throws(APIError) -> Output {
    var record = CallRecord()
    var isLost = false
    let output: Output
    do throws(APIError) {
      let party = try await admission.admit(call, &record)
      isLost = party.isLost
      let caller = try party.caller.get()
      output = try await EventLoopExecutor.stage { () throws(APIError) in
        if LargeAnswers.shared.isFull { await LargeAnswers.shared.room(for: call.size) }
        return try await call.collect { () async throws(APIError) in try await body(caller) }
      }
    } catch {
      admission.note(call, record, error)
      throw isLost ? Admission.lost : error
    }
    admission.note(call, record, nil)
    // It has happened, and the client cannot know.
    if isLost { throw Admission.lost }
    return output
  }
}
