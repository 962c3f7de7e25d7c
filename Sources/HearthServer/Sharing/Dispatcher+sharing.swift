import HTTPTypes
import HearthControl
import HearthErrors
import HearthOperations
import HearthSharing
import HearthTime
import HearthTransport
import HearthWire

/// What a shared server does with a call besides answering it.
extension Dispatcher {
  /// The hub steers the whole server.
  func refuseHub(_ call: IncomingCall) -> OutgoingReply? {
    guard let sharing = context.projects.sharing else { return nil }
    do throws(APIError) {
      let visitor = try sharing.projects.admit(call.authorization, to: .server)
      sharing.audit(
        "hub \(call.method) \(call.path)", in: nil, by: visitor, with: nil, status: 200)
      return nil
    } catch {
      sharing.audit(
        "hub \(call.method) \(call.path)", in: nil, by: nil, with: call.authorization,
        status: error.httpStatus)
      var reply = ReplyWriter.json(["message": .string(error.message)])
      reply.status = error.httpStatus
      return reply
    }
  }

  /// Admits a call to the row that was found. A page asks for the token: then that is the answer.
  func admitShared(
    _ call: IncomingCall, route: Route, variables: [String: String],
    record: inout CallRecord
  ) throws(APIError) -> OutgoingReply? {
    guard let sharing = context.projects.sharing else { return nil }
    do throws(APIError) {
      record.visitor = try sharing.admit(call, route: route, variables: variables)
    } catch {
      guard error.code == .unauthenticated, let page = sharing.signIn(call, route: route) else {
        throw error
      }
      return page
    }
    return nil
  }

  /// Writes the line of a call, and binds its stream to the project. A call that has waited may end
  /// after its project: then it hears nothing of the next one.
  func conclude(
    _ call: IncomingCall, match: Routing.Match, record: CallRecord,
    reply: inout OutgoingReply
  ) {
    guard let sharing = context.projects.sharing, case .found(let endpoint, let variables) = match,
      endpoint.route.isControl
    else { return }
    if let project = record.visitor?.project {
      if project.isOver(at: context.server.clock.now), reply.status < 400,
        record.operation != "hearth.projects.delete"
      {
        reply.stream?.hangUp()
        reply = ReplyWriter.refusal(SharedProjects.notOpen(project.id))
      }
      reply.stream = reply.stream.map { sharing.bind($0, to: project) }
    }
    sharing.audit(
      endpoint.route.id, in: sharing.project(of: call, route: endpoint.route, variables: variables),
      by: record.visitor, with: call.authorization, status: reply.status)
  }
}
