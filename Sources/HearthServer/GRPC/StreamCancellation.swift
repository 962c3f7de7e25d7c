import GRPCCore

/// Cancels the task of a streaming answer when its call ends.
///
/// gRPC itself only sets a flag then, and a stream that waits for something else would wait on.
/// Calls with a single answer are left to finish: what they do is short, and is done or not done.
/// One that may take long uses a ``CallSpan`` itself.
struct StreamCancellation: ServerInterceptor {
  func intercept<Input: Sendable, Output: Sendable>(
    request: StreamingServerRequest<Input>, context: ServerContext,
    next:
      @Sendable (StreamingServerRequest<Input>, ServerContext) async throws
      -> StreamingServerResponse<Output>
  ) async throws -> StreamingServerResponse<Output> {
    let span = CallSpan(request.metadata, context)
    let response = try await next(request, context)
    guard context.descriptor.type?.isResponseStreaming ?? true,
      case .success(var contents) = response.accepted
    else { return response }
    let produce = contents.producer
    contents.producer = { writer in try await span.run { try await produce(writer) } }
    return StreamingServerResponse(accepted: .success(contents))
  }
}

/// The time in which somebody waits for the answer of a call.
struct CallSpan: Sendable {
  private let cancellation: ServerContext.RPCCancellationHandle
  private let deadline: ContinuousClock.Instant?

  init(_ metadata: Metadata, _ context: ServerContext) {
    cancellation = context.cancellation
    deadline = metadata.grpcTimeout.map { .now + $0 }
  }

  /// Runs the body, and cancels it when the call ends first.
  func run<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
      defer { group.cancelAll() }
      group.addTask { try await body() }
      group.addTask {
        try await cancellation.cancelled
        throw reason
      }
      guard let value = try await group.next() else { throw CancellationError() }
      return value
    }
  }

  /// Why it ended. A client that is gone does not hear it; any other takes it as the outcome.
  ///
  /// gRPC cancels by a clock it starts a little earlier, hence the allowance.
  private var reason: RPCError {
    if let deadline, ContinuousClock.now + .milliseconds(100) >= deadline {
      return RPCError(code: .deadlineExceeded, message: "the deadline has passed")
    }
    return RPCError(code: .unavailable, message: "the server is stopping")
  }
}

extension Metadata {
  /// How much time the client gives the call. At most eight digits, so that nothing overflows.
  fileprivate var grpcTimeout: Duration? {
    guard let text = self[stringValues: "grpc-timeout"].first(where: { _ in true }),
      text.utf8.count <= 9, let amount = Int64(text.dropLast())
    else { return nil }
    return switch text.last {
    case "H": .seconds(amount * 3600)
    case "M": .seconds(amount * 60)
    case "S": .seconds(amount)
    case "m": .milliseconds(amount)
    case "u": .microseconds(amount)
    case "n": .nanoseconds(amount)
    default: nil
    }
  }
}
