import HTTPTypes
import HearthErrors
import HearthFirestore
import HearthObservation
import HearthOperations
import HearthTransport
import HearthWire

/// Firestore over REST: makes the message that gRPC would have brought of path, query and body, and
/// JSON of the answer. It keeps nothing between two calls.
struct FirestoreGateway: Sendable {
  let firestore: Firestore
  let admission: Admission

  /// What gRPC streams is an array in production, also where it is refused.
  private static let streams = Set(
    ["runQuery", "runAggregationQuery", "batchGet", "executePipeline"]
      .map(FirestoreOperations.id))

  /// The method that production names where a read has no valid credential; of others it is not
  /// known.
  private static let reads = Dictionary(
    uniqueKeysWithValues: ["get", "list"].map {
      (FirestoreOperations.id(of: $0), "google.firestore.v1.Firestore.GetOrListDocuments")
    })

  /// Answers a call that a row of ``FirestoreRoutes`` covers. Refusals of Firestore are answers
  /// too, in the words and the form of the project.
  ///
  /// - Throws: what a fault refuses.
  func respond(
    to call: IncomingCall, route: Route, method: RestMethod, variables: [String: String],
    record: inout CallRecord
  ) async throws(APIError) -> OutgoingReply {
    let project = variables["targetProjectId"] ?? ""
    let segments = route.template.rest(of: call.path)
    // Paths of documents and of collections have one template, so what the call is in faults and in
    // the log is decided here.
    let isCollection = !segments.count.isMultiple(of: 2)
    let operation = isCollection ? method.collectionOperation ?? route.id : route.id
    record.operation = operation
    // A refusal is kept for later: faults may be for a caller, and come before it. Endpoints that
    // ask for no token have one verified only where a fault may want its address.
    let caller: Result<FirestoreCaller, APIError> =
      method.isOpen && admission.faults.isEmpty
      ? .success(.nobody)
      : await admission.checkApp(
        Admission.PresentedApp(call),
        of: await admission.caller(
          call.authorization, project: project,
          isConsole: admission.isOfConsole(call)),
        operation: operation, project: project, record: &record)
    let effects = admission.effects(
      on: operation, in: record.project ?? admission.server.defaultProject,
      email: caller.email, isOfConsole: call.isOfConsole, &record)
    return try await admission.faulted(effects, as: .firestore) {
      let refusal: APIError
      do {
        let caller = method.isOpen ? .nobody : try caller.get()
        if !method.isOpen { record.caller = AnsweredCall.Caller(caller) }
        let rest = RestCall(
          call, variables: variables, segments: segments, in: firestore, as: caller)
        let isWarned =
          (method.isQuery || isCollection) && firestore.warnsOfMissingIndexes(rest.project)
        record.evaluated = firestore.rules.isEmpty ? nil : EvaluatedRules()
        record.missed = isWarned ? MissedIndexes() : nil
        return try await Self.carryOut(
          method, call: rest, isOfConsole: call.isOfConsole, record: record)
      } catch let error as APIError {
        refusal = error
      } catch {
        refusal = APIError(.internalError, message: "\(error)")
      }
      var worded = firestore.worded(refusal, for: project)
      if worded.code == .invalidCredentials, worded.explanation == nil,
        let method = Self.reads[operation]
      {
        worded = worded.with(details: .credentialsMissing(method))
      }
      record.error = worded
      // Only production refuses queries for a missing index, and it does so in its own form.
      let isAsProduction = firestore.answersAsProduction(project) || worded.isMissingIndex
      let isStream = isAsProduction && Self.streams.contains(operation)
      return ReplyWriter.refusal(worded, as: isStream ? .firestoreStream : .firestore)
    }
  }

  /// What collects, far below, is bound to the task. To bind it takes a noticeable part of a small read,
  /// so it is left out where there is nothing to collect.
  private static func carryOut(
    _ method: RestMethod, call: RestCall, isOfConsole: Bool, record: CallRecord
  ) async throws -> OutgoingReply {
    let (evaluated, missed) = (record.evaluated, record.missed)
    if evaluated == nil, missed == nil, !isOfConsole { return try await method.answer(call) }
    return try await Faults.$sparesCaller.withValue(isOfConsole) {
      try await (evaluated ?? EvaluatedRules()).collect {
        if let missed { return try await missed.collect { try await method.answer(call) } }
        return try await method.answer(call)
      }
    }
  }
}

extension JSON {
  fileprivate static func credentialsMissing(_ method: String) -> JSON {
    [
      "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "CREDENTIALS_MISSING",
      "domain": "googleapis.com",
      "metadata": ["method": .string(method), "service": "firestore.googleapis.com"],
    ]
  }
}

extension APIError {
  /// Refusals by rules are explained too, with another code.
  fileprivate var isMissingIndex: Bool { code == .failedPrecondition && explanation != nil }
}
