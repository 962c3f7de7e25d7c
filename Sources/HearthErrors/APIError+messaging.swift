package import HearthWire

extension APIError {
  /// The envelope as Cloud Messaging writes it: its own code is in the details, unless a field of the
  /// request cannot be read.
  package var messagingEnvelope: JSON {
    let own = code.messagingCode
    let isPlain = message == APIError(code).message
    var details = self.details
    if let own, details.isEmpty || hasPlatformDetails {
      details.insert(
        .members(["@type": .string(Self.messagingType), "errorCode": .string(own)]), at: 0)
    }
    if case .quotaExceeded = code {
      details.append(
        .members([
          "@type": "type.googleapis.com/google.rpc.QuotaFailure",
          "violations": [
            .members([
              "subject": "messages", "description": .string(code.messagingText ?? message),
            ])
          ],
        ]))
    }
    return .members([
      "error": .members([
        "code": .int(Int64(httpStatus)),
        "message": .string(isPlain ? code.messagingText ?? message : message),
        "status": .string(messagingStatus),
        "details": details.isEmpty ? nil : .array(details),
      ])
    ])
  }

  private static let appleType = "type.googleapis.com/google.firebase.fcm.v1.ApnsError"

  /// The same refusal, with what Apple's service has answered Cloud Messaging.
  package func with(appleStatus: Int64, reason: String) -> APIError {
    with(
      details: .members([
        "@type": .string(Self.appleType), "statusCode": .int(appleStatus),
        "reason": .string(reason),
      ]))
  }

  /// Whether only a platform's own detail is there.
  private var hasPlatformDetails: Bool {
    details.allSatisfy { $0["@type"]?.string == Self.appleType }
  }

  private static let messagingType = "type.googleapis.com/google.firebase.fcm.v1.FcmError"

  /// A fault may have a status of HTTP alone.
  private var messagingStatus: String {
    guard httpStatus != code.httpStatus else { return code.row.rpc.name }
    return RPCStatus.allCases.first { $0.httpStatus == httpStatus }?.name ?? code.row.rpc.name
  }

  /// The envelope of the older topic API: a word.
  package var instanceIDEnvelope: JSON {
    let word =
      switch code {
      case .quotaExceeded: RPCStatus.resourceExhausted.name
      default: httpStatus == 401 ? "Unauthorized" : message
      }
    return .members(["error": .string(word)])
  }
}

extension ErrorCode {
  /// What `errorCode` says; nil where production has no code of its own.
  fileprivate var messagingCode: String? {
    switch self {
    case .unregistered, .senderIDMismatch, .thirdPartyAuthError, .quotaExceeded, .unavailable,
      .internalError, .invalidArgument:
      rawValue
    default: nil
    }
  }

  fileprivate var messagingText: String? {
    switch self {
    case .quotaExceeded: "The limit of messages was exceeded."
    case .unavailable: "The service is currently unavailable."
    case .internalError: "Internal error encountered."
    default: nil
    }
  }
}
