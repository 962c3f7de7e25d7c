/// One row of the error table: what an error code looks like on the wire.
///
/// The HTTP status belongs to the row and is never chosen where the error is thrown.
package struct ErrorCode: Sendable, Hashable {
  /// The code as clients see it: `EMAIL_EXISTS`.
  package let name: String
  package let httpStatus: Int
  /// `error.status`; the official emulator leaves it out of ordinary refusals.
  package let status: String?
  /// `error.errors[0].reason`.
  package let reason: String
  /// `error.errors[0].domain`.
  package let domain: String?
  /// `error.errors[0].message` where it differs from the error's own message.
  package let itemMessage: String?
  /// The request header that is to blame, as `error.errors[0].location`.
  package let header: String?

  package init(
    _ name: String, httpStatus: Int = 400, status: String? = nil, reason: String = "invalid",
    domain: String? = "global", itemMessage: String? = nil, header: String? = nil
  ) {
    self.name = name
    self.httpStatus = httpStatus
    self.status = status
    self.reason = reason
    self.domain = domain
    self.itemMessage = itemMessage
    self.header = header
  }
}

/// The codes that every room can raise.
extension ErrorCode {
  package static let missingAPIKey = ErrorCode(
    "The request is missing a valid API key.", httpStatus: 403, status: "PERMISSION_DENIED",
    reason: "forbidden")
  package static let invalidCredentials = ErrorCode(
    "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie "
      + "or other valid authentication credential. "
      + "See https://developers.google.com/identity/sign-in/web/devconsole-project.",
    httpStatus: 401, status: "UNAUTHENTICATED", reason: "authError",
    itemMessage: "Invalid Credentials", header: "Authorization")
  package static let notFound = ErrorCode(
    "Not Found", httpStatus: 404, status: "NOT_FOUND", reason: "notFound", domain: nil)
  package static let methodNotAllowed = ErrorCode(
    "Method not allowed", httpStatus: 405, reason: "httpMethodNotAllowed")
  package static let invalidContentType = ErrorCode(
    "Invalid content-type", reason: "unknown", domain: nil)
  package static let invalidPayload = ErrorCode(
    "Invalid JSON payload received.", status: "INVALID_ARGUMENT")
  package static let parseError = ErrorCode(
    "Invalid JSON payload received.", status: "INVALID_ARGUMENT", reason: "parseError")
  package static let invalidArgument = ErrorCode("INVALID_ARGUMENT", status: "INVALID_ARGUMENT")
  package static let payloadTooLarge = ErrorCode(
    "Request payload size exceeds the limit.", httpStatus: 413, status: "INVALID_ARGUMENT",
    reason: "uploadTooLarge")
  package static let headersTooLarge = ErrorCode(
    "Request header fields exceed the limit.", httpStatus: 431, status: "INVALID_ARGUMENT",
    reason: "badRequest")
  package static let unsupportedEncoding = ErrorCode(
    "Unsupported content encoding.", httpStatus: 415, status: "INVALID_ARGUMENT",
    reason: "unsupportedMediaProtocol")
  package static let unimplemented = ErrorCode(
    "NOT_IMPLEMENTED", httpStatus: 501, status: "NOT_IMPLEMENTED", reason: "unimplemented",
    domain: nil)
  package static let forbiddenHost = ErrorCode(
    "Host not allowed", httpStatus: 403, status: "PERMISSION_DENIED", reason: "forbidden")
  package static let entityNotFound = ErrorCode(
    "NOT_FOUND", httpStatus: 404, status: "NOT_FOUND", reason: "notFound")
  package static let unavailable = ErrorCode(
    "UNAVAILABLE", httpStatus: 503, status: "UNAVAILABLE", reason: "backendError")
  package static let internalError = ErrorCode(
    "INTERNAL", httpStatus: 500, status: "INTERNAL", reason: "internalError")
}

/// A refusal, as it goes to the client.
package struct APIError: Error, Sendable, Equatable {
  package let code: ErrorCode
  /// `error.message`: the code, or the code and a detail behind ` : `, where SDKs cut.
  package let message: String
  /// Whether what the operation wrote before it refused is kept; the references name these cases.
  package private(set) var keepsWrites = false

  package init(_ code: ErrorCode, _ detail: String? = nil) {
    self.code = code
    message = detail.map { "\(code.name) : \($0)" } ?? code.name
  }

  /// For the few messages that do not follow the `CODE : detail` form.
  package init(_ code: ErrorCode, message: String) {
    self.code = code
    self.message = message
  }

  /// The same refusal, which keeps what was written; unless it says that not all of it could be.
  package var keepingWrites: APIError {
    guard code != .internalError else { return self }
    var error = self
    error.keepsWrites = true
    return error
  }

  package static func unimplemented(_ message: String) -> APIError {
    APIError(.unimplemented, message: message)
  }

  /// The envelope that all Google APIs share.
  package var envelope: JSON {
    .members([
      "error": .members([
        "code": .int(Int64(code.httpStatus)),
        "message": .string(message),
        "errors": [
          .members([
            "message": .string(code.itemMessage ?? message),
            "reason": .string(code.reason),
            "domain": code.domain.json,
            "location": code.header.json,
            "locationType": code.header == nil ? nil : "header",
          ])
        ],
        "status": code.status.json,
      ])
    ])
  }
}
