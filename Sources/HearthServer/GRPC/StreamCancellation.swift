import GRPCCore

/// Cancels the task of a streaming answer when its call ends.
///
/// gRPC itself only sets a flag then, and a stream that waits for something else would wait on.
/// Calls with a single answer are left to finish: what they do is short, and is done or not done.
struct StreamCancellation: ServerInterceptor {
  func intercept<Input: Sendable, Output: Sendable>(
    request: StreamingServerRequest<Input>, context: ServerContext,
    next:
      @Sendable (StreamingServerRequest<Input>, ServerContext) async throws
      -> StreamingServerResponse<Output>
  ) async throws -> StreamingServerResponse<Output> {
    let deadline = request.metadata.grpcTimeout.map { ContinuousClock.now + $0 }
    let response = try await next(request, context)
    guard context.descriptor.type?.isResponseStreaming ?? true,
      case .success(var contents) = response.accepted
    else { return response }
    let produce = contents.producer
    contents.producer = { writer in
      try await withThrowingTaskGroup(of: Metadata.self) { group in
        defer { group.cancelAll() }
        group.addTask { try await produce(writer) }
        group.addTask {
          try await context.cancellation.cancelled
          throw Self.reason(deadline)
        }
        return try await group.next() ?? [:]
      }
    }
    return StreamingServerResponse(accepted: .success(contents))
  }

  /// A client that is gone does not hear it; one whose deadline has passed or whose server stops may.
  private static func reason(_ deadline: ContinuousClock.Instant?) -> RPCError {
    if let deadline, ContinuousClock.now >= deadline {
      return RPCError(code: .deadlineExceeded, message: "the deadline has passed")
    }
    return RPCError(code: .unavailable, message: "the server is stopping")
  }
}

extension Metadata {
  /// How much time the client gives the call.
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
