/// The canonical statuses of Google's APIs, with their numbers in gRPC.
///
/// Source: `google.rpc.Code`, which also names the HTTP status of each.
package enum RPCStatus: Int32, Sendable, CaseIterable {
  case cancelled = 1
  case unknown = 2
  case invalidArgument = 3
  case deadlineExceeded = 4
  case notFound = 5
  case alreadyExists = 6
  case permissionDenied = 7
  case resourceExhausted = 8
  case failedPrecondition = 9
  case aborted = 10
  case outOfRange = 11
  case unimplemented = 12
  case internalError = 13
  case unavailable = 14
  case dataLoss = 15
  case unauthenticated = 16

  /// The status as text, in `error.status`.
  package var name: String { traits.name }
  package var httpStatus: Int { traits.httpStatus }
  /// `error.errors[0].reason` of an error that says nothing more precise.
  package var reason: String { traits.reason }

  private var traits: (name: String, httpStatus: Int, reason: String) {
    switch self {
    case .cancelled: ("CANCELLED", 499, "cancelled")
    case .unknown: ("UNKNOWN", 500, "internalError")
    case .invalidArgument: ("INVALID_ARGUMENT", 400, "invalid")
    case .deadlineExceeded: ("DEADLINE_EXCEEDED", 504, "deadlineExceeded")
    case .notFound: ("NOT_FOUND", 404, "notFound")
    case .alreadyExists: ("ALREADY_EXISTS", 409, "alreadyExists")
    case .permissionDenied: ("PERMISSION_DENIED", 403, "forbidden")
    case .resourceExhausted: ("RESOURCE_EXHAUSTED", 429, "rateLimitExceeded")
    case .failedPrecondition: ("FAILED_PRECONDITION", 400, "failedPrecondition")
    case .aborted: ("ABORTED", 409, "aborted")
    case .outOfRange: ("OUT_OF_RANGE", 400, "outOfRange")
    case .unimplemented: ("UNIMPLEMENTED", 501, "unimplemented")
    case .internalError: ("INTERNAL", 500, "internalError")
    case .unavailable: ("UNAVAILABLE", 503, "backendError")
    case .dataLoss: ("DATA_LOSS", 500, "internalError")
    case .unauthenticated: ("UNAUTHENTICATED", 401, "authError")
    }
  }
}
