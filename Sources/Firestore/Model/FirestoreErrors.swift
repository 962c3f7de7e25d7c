package import HearthCore

/// The statuses of Google's APIs, as Firestore answers them over gRPC and REST.
extension ErrorCode {
  private static func row(_ status: String, _ httpStatus: Int) -> ErrorCode {
    ErrorCode(status, httpStatus: httpStatus, status: status, reason: status, domain: nil)
  }

  static let argument = row("INVALID_ARGUMENT", 400)
  static let failedPrecondition = row("FAILED_PRECONDITION", 400)
  static let documentNotFound = row("NOT_FOUND", 404)
  static let alreadyExists = row("ALREADY_EXISTS", 409)
  static let aborted = row("ABORTED", 409)
  static let exhausted = row("RESOURCE_EXHAUSTED", 429)
  static let denied = row("PERMISSION_DENIED", 403)
  /// An `Authorization` that holds no token.
  package static let invalidToken = argument
  package static let unauthenticated = row("UNAUTHENTICATED", 401)
  package static let notBuilt = row("UNIMPLEMENTED", 501)
}

extension APIError {
  static func invalid(_ message: String) -> APIError { APIError(.argument, message: message) }
}
