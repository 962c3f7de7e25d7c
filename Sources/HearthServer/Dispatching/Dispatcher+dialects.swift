import HTTPTypes
import HearthControl
import HearthErrors
import HearthObservation
import HearthOperations
import HearthSharing
import HearthTime
import HearthTransport

/// Calls that no row answers.
extension Dispatcher {
  /// Whether no row answers a call of Google's API, in a project with production's answers. The
  /// path is not known to any row, so no project either: the default one decides.
  func isUnknownToProduction(_ call: IncomingCall) -> Bool {
    if call.servedPort.isOfGoogle { return true }
    return routing.isOfGoogle(call)
      && context.server.answers(of: context.server.defaultProject, in: context.store)
        == .production
  }

  /// A back end that the emulator plays has the paths that nobody else has.
  func answerDialect(
    _ call: IncomingCall, record: inout CallRecord
  ) async throws(APIError) -> OutgoingReply {
    guard let exchange = dialects.find(call) else { throw APIError(.routeNotFound) }
    try context.projects.sharing?.projects.check(exchange.project)
    record.project = exchange.project
    record.operation = exchange.operation
    record.caller = .anonymous
    let effects = admission.effects(
      on: exchange.operation, in: exchange.project, email: exchange.email, &record)
    return try await admission.faulted(effects) {
      () async throws(APIError) in
      let context = Context(
        now: context.server.clocks.now(of: exchange.project), caller: .user,
        baseURL: context.network.hosts.baseURL(call), locale: call.headers[.firebaseLocale],
        userAgent: call.headers[.userAgent], remoteAddress: call.remoteAddress, logger: logger)
      return try await dialects.answer(exchange, context: context)
    }
  }
}
