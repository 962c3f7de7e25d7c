import HearthErrors
import HearthOperations
import HearthWire

/// The form of the action page: the same as the link, with the new password in the body, so that
/// it stands in no address bar and no history.
enum SubmitActionForm: Operation {
  static func run(
    _ request: WireRequest, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    var query = request.query
    for (name, value) in request.body.members {
      guard let text = value.string else { continue }
      query.set(FormFields.Pair(name: name, value: text))
    }
    return try ActionLink.run(WireRequest(query: query), in: project, context)
  }
}
