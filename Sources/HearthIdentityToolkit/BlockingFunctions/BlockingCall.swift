import HearthErrors
import HearthOperations
import HearthTokens
import HearthWire

/// The points at which an app's own function may look at what is about to happen.
enum BlockingEvent: String, Sendable, CaseIterable {
  case beforeCreate
  case beforeSignIn
  case beforeSendEmail
  case beforeSendSms
}

/// Where the function for an event is.
enum BlockingFunction: Sendable {
  case nowhere
  case at(FunctionsEmulator.Function)
  /// The functions emulator knows. The configured one may be another function of it.
  case told(by: FunctionsEmulator, configured: FunctionsEmulator.Function?)

  func found(for event: BlockingEvent) async -> FunctionsEmulator.Function? {
    switch self {
    case .nowhere: nil
    case .at(let function): function
    case .told(let emulator, let configured):
      await emulator.function(for: event.rawValue, configured: configured)
    }
  }
}

extension BlockingFunctions {
  /// What a function has answered.
  struct BlockingAnswer: Sendable {
    let url: String
    let json: JSON
  }

  typealias AfterCall =
    @Sendable (BlockingAnswer?, ProjectTransaction, Context) throws(APIError) -> Outcome

  /// The project's function for that event.
  func blockingFunction(_ event: BlockingEvent) throws(APIError) -> BlockingFunction {
    let settings = try settings().config["blockingFunctions"]
    let url = (settings?["triggers"]?[event.rawValue]?["functionUri"]?.string).nonEmpty
    let configured = url.map {
      FunctionsEmulator.Function(
        url: $0, forwards: settings?["forwardInboundCredentials"]?.object ?? JSONObject())
    }
    if let emulator = server.functionsEmulator, projectId == server.defaultProject,
      configured.map({ emulator.has($0.url) }) ?? true
    {
      return .told(by: emulator, configured: configured)
    }
    return configured.map(BlockingFunction.at) ?? .nowhere
  }

  /// Whether there may be a function for that event.
  func mayBlock(_ event: BlockingEvent) throws(APIError) -> Bool {
    if case .nowhere = try blockingFunction(event) { false } else { true }
  }

  /// Calls the project's function for that event, if there is one, and goes on with its answer. The
  /// call happens between two transactions: what was written so far is committed.
  func calling(
    _ event: BlockingEvent, context: Context,
    claims: @escaping @Sendable (FunctionsEmulator.Function) -> JSONObject,
    then next: @escaping AfterCall
  ) throws(APIError) -> Outcome {
    let function = try blockingFunction(event)
    if case .nowhere = function { return try next(nil, project, context) }
    let caller = server.functions
    let answers = try answers
    return .away { () async throws(APIError) -> Outcome.Resumption in
      var answer: BlockingAnswer?
      if let found = await function.found(for: event) {
        let call = BlockingCall(url: found.url, caller: caller, answers: answers)
        answer = BlockingAnswer(
          url: found.url, json: try await call.answer(token: JWT.unsigned(claims(found))))
      }
      return { [answer] (project, context) throws(APIError) -> Outcome in
        try next(answer, project, context)
      }
    }
  }
}

/// One call of a blocking function, and what can go wrong with it.
private struct BlockingCall: Sendable {
  let url: String
  let caller: any FunctionCaller
  let answers: Switches.Program

  /// Production waits 7 seconds, the official emulator a minute.
  private var patience: Duration {
    switch answers {
    case .emulator: .seconds(60)
    case .production: .seconds(7)
    }
  }

  func answer(token: String) async throws(APIError) -> JSON {
    let reply = try await reply(token: token)
    guard reply.isSuccess else {
      let text = String(decoding: reply.body, as: UTF8.self)
      let refusal =
        switch answers {
        case .emulator: "((HTTP request to \(url) returned HTTP error \(reply.status): \(text)))"
        case .production: "HTTP Cloud Function returned an error: \(text)"
        }
      throw APIError(.blockingFunctionRefused, detail: refusal)
    }
    let json: JSON
    do throws(JSON.ParseError) {
      json = try JSON.parse(reply.body)
    } catch {
      throw APIError(
        .blockingFunctionFailed, detail: "((Response body is not valid JSON.))",
        reason: "\(error)")
    }
    if json.isNull { throw .unusableAnswer("The blocking function answered null.") }
    return json
  }

  private func reply(token: String) async throws(APIError) -> FunctionReply {
    let body: JSON = .members(["data": .members(["jwt": .string(token)])])
    do throws(FunctionFailure) {
      return try await caller.post(body, to: url, within: patience)
    } catch {
      switch error {
      case .timedOut: throw deadlineExceeded
      case .unreachable:
        throw APIError(
          .blockingFunctionFailed, detail: "((Failed to make request to \(url).))",
          reason: "fetch failed")
      case .refused(let refusal):
        throw APIError(
          .blockingFunctionFailed, detail: "((Failed to make request to \(url): it \(refusal).))",
          reason: "fetch failed")
      }
    }
  }

  private var deadlineExceeded: APIError {
    switch answers {
    case .emulator:
      APIError(
        .blockingFunctionFailed, detail: "((Deadline exceeded making request to \(url).))",
        reason: "The operation was aborted.")
    case .production:
      APIError(.blockingFunctionRefused, detail: "Cloud function deadline exceeded.")
    }
  }
}

extension APIError {
  /// The official emulator stumbles over such answers.
  static func unusableAnswer(_ message: String) -> APIError {
    APIError(.unknown, message: message)
  }
}
