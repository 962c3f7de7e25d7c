import HearthErrors
import HearthOperations
import HearthWire

/// Deletes many accounts; enabled ones only by force.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v1/projects.accounts/batchDelete
enum BatchDelete: Operation {
  static func run(
    _ request: WireRequest, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    let localIds = request.strings("localIds") ?? []
    guard (1...1000).contains(localIds.count) else { throw APIError(.localIdListExceedsLimit) }
    let isForced = request.bool("force") == true
    let work = SlicedWork<String, [JSON]>(localIds) {
      errors, index, localId, project, context throws(APIError) in
      guard let user = try project.user(localId: localId) else { return }
      guard user.isDisabled || isForced else {
        errors.append(
          .members([
            "index": .int(Int64(index)), "localId": .string(localId),
            "message": "NOT_DISABLED : Disable the account before batch deletion.",
          ]))
        return
      }
      try project.delete(user)
      project.tellDeleted(user, context)
    } finish: { errors, _ in
      .json(["errors": errors.isEmpty ? nil : .array(errors)])
    }
    return try work.run([], in: project, context)
  }
}
