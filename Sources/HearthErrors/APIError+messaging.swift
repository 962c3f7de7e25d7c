package import HearthWire

extension APIError {
  /// The envelope as Cloud Messaging writes it: its own code is in the details, unless a field of the
  /// request cannot be read.
  package var messagingEnvelope: JSON {
    let own = code.messagingCode
    let isPlain = message == APIError(code).message
    var details = self.details
    if details.isEmpty, let own {
      details = [.members(["@type": .string(Self.messagingType), "errorCode": .string(own)])]
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

  private static let messagingType = "type.googleapis.com/google.firebase.fcm.v1.FcmError"

  /// A fault may have a status of HTTP alone.
  private var messagingStatus: String {
    guard httpStatus != code.httpStatus else { return code.row.rpc.name }
    return RPCStatus.allCases.first { $0.httpStatus == httpStatus }?.name ?? code.row.rpc.name
  }

  /// The envelope of the older topic API: a word.
  package var instanceIDEnvelope: JSON {
    .members(["error": .string(httpStatus == 401 ? "Unauthorized" : message)])
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
