import HearthErrors
import HearthIdentityToolkit
import HearthOperations
import HearthWire

/// The form of the action page: the same as the link, with the new password in the body, so that
/// it is in no address bar and no history.
enum SubmitActionForm: Operation {
  struct Request: OperationRequest {
    let link: ActionLink.Request

    init(_ wire: WireRequest) {
      var query = wire.query
      for (name, value) in wire.body.members {
        guard let text = value.string else { continue }
        query.set(FormFields.Pair(name: name, value: text))
      }
      link = ActionLink.Request(query)
    }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try ActionLink.run(request.link, in: project, context: context)
  }
}
