package import HearthWire

extension APIError {
  /// The envelope as production writes it: with `errors` in version 1 of Identity Toolkit, and without
  /// them in version 2 and in Secure Token, which show the canonical status instead.
  package func productionEnvelope(listsErrors: Bool) -> JSON {
    let row = code.productionRow
    let text = message == APIError(code).message ? row.message ?? message : message
    var error = JSONObject(["code": .int(Int64(httpStatus)), "message": .string(text)])
    if listsErrors {
      let item = JSON.members([
        "message": .string(row.itemMessage ?? text),
        "domain": row.domain.json,
        "reason": .string(row.reason),
        "location": row.header.json,
        "locationType": row.header == nil ? nil : "header",
      ])
      error.append("errors", value: [item])
    }
    if let status = listsErrors ? row.status : row.rpc.name {
      error.append("status", value: .string(status))
    }
    if !details.isEmpty { error.append("details", value: .array(details)) }
    return .members(["error": .object(error)])
  }

  /// Fields of a request that cannot be read, each with the sentence that says why.
  package static func invalidFields(_ violations: [(field: String, description: String)])
    -> APIError
  {
    APIError(.invalidField, message: violations.map(\.description).joined(separator: "\n")).with(
      details: .members([
        "@type": "type.googleapis.com/google.rpc.BadRequest",
        "fieldViolations": .array(
          violations.map {
            .members([
              "field": $0.field.isEmpty ? nil : .string($0.field),
              "description": .string($0.description),
            ])
          }),
      ]))
  }
}

extension ErrorCode {
  /// What the code looks like in production's answers.
  fileprivate var productionRow: ErrorRow { Self.productionRows[self] ?? row }

  /// The rows in which production differs from the error table.
  private static let productionRows: [ErrorCode: ErrorRow] = [
    .internalError: ErrorRow(
      .internalError, reason: "backendError", message: "Internal error encountered."),
    .tooManyAttempts: .refusal(
      "TOO_MANY_ATTEMPTS_TRY_LATER",
      detail: "Access to this account has been temporarily disabled due to many failed login "
        + "attempts. You can immediately restore it by resetting your password or you can try "
        + "again later."),
    .missingAPIKey: ErrorRow(
      .permissionDenied,
      message: "Method doesn't allow unregistered callers (callers without established identity). "
        + "Please use API Key or other form of API consumer identity to call this API."),
    .missingPrincipal: {
      var row = ErrorRow(
        .unauthenticated, reason: "required",
        message: "API keys are not supported by this API. Expected OAuth2 access token or other "
          + "authentication credentials that assert a principal. "
          + "See https://cloud.google.com/docs/authentication",
        itemMessage: "Login Required.")
      row.header = "Authorization"
      return row
    }(),
  ]
}
