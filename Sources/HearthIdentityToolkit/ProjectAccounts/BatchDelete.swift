import HearthErrors
import HearthOperations
import HearthWire

/// Deletes many accounts; enabled ones only by force.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v1/projects.accounts/batchDelete
enum BatchDelete: Operation {
  struct Request: OperationRequest {
    let localIds: [String]
    /// Whether enabled accounts are deleted too.
    let isForced: Bool

    init(_ wire: WireRequest) {
      localIds = wire.strings("localIds") ?? []
      isForced = wire.bool("force") == true
    }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    guard (1...1000).contains(request.localIds.count) else {
      throw APIError(.localIdListExceedsLimit)
    }
    let work = SlicedWork<String, [JSON]>(request.localIds) {
      errors, index, localId, project, context throws(APIError) in
      guard let user = try Accounts(in: project).user(localId: localId) else { return }
      guard user.isDisabled || request.isForced else {
        errors.append(
          .members([
            "index": .int(Int64(index)), "localId": .string(localId),
            "message": "NOT_DISABLED : Disable the account before batch deletion.",
          ]))
        return
      }
      try Accounts(in: project).delete(user)
      Accounts(in: project).publishDeleted(user, context: context)
    } finish: { errors, _ in
      .json(["errors": errors.isEmpty ? nil : .array(errors)])
    }
    return try work.run([], in: project, context: context)
  }
}
