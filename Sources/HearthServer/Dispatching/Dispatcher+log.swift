import HearthControl
import HearthErrors
import HearthOperations
import HearthTransport
import Logging

extension Dispatcher {
  /// Says what the reply does not say of a refusal.
  func log(_ error: APIError, of call: IncomingCall) {
    // The reply says what Google says. Why a credential does not count is for the developer.
    if context.server.google != nil, error.httpStatus == 401,
      let reason = error.credentialProblem
    {
      logger.warning("\(call.method) \(call.path) was refused: \(reason)")
    }
    guard error.httpStatus == 500 else { return }
    if let reason = error.reasonForLog {
      logger.warning("\(call.method) \(call.path) was deliberately answered with 500: \(reason).")
    } else {
      logger.error("\(call.method) \(call.path): \(error.message)")
    }
  }
}
