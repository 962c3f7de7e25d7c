import HearthErrors
import HearthOperations

/// What can be wrong with a request about second factors, where the two programs say it differently.
enum FactorFault {
  case noIDToken
  case noSession
  /// With the official emulator's word, which is not the same in all operations.
  case noPendingCredential(ErrorCode)
  case noEnrollmentId
  case noCode
  case unknownApp
  case notAPhone
  case unreadableCredential
  case credentialOfElsewhere
  case credentialOfNobody

  fileprivate var errors: (emulator: APIError, production: APIError) {
    switch self {
    case .noIDToken: (APIError(.missingIDToken), APIError(.invalidIDToken))
    case .noSession: (APIError(.missingSessionInfo), APIError(.invalidSessionInfo))
    case .noPendingCredential(let code): (APIError(code), .invalidRequest)
    case .noEnrollmentId: (APIError(.missingMfaEnrollmentId), .invalidRequest)
    case .noCode: (APIError(.missingCode), .invalidRequest)
    case .unknownApp:
      (
        APIError(.mfaEnrollmentNotFound),
        APIError(.invalidMfaEnrollmentId, message: "INVALID_MFA_ENROLLMENT_ID")
      )
    case .notAPhone:
      (APIError(.badArgument, detail: "MFA provider not supported!"), APIError(.invalidPhoneNumber))
    case .unreadableCredential:
      (
        APIError(.hint, message: "((Invalid phoneVerificationInfo.mfaPendingCredential.))"),
        APIError(.invalidPendingToken)
      )
    case .credentialOfElsewhere:
      (APIError(.invalidProjectId), APIError(.invalidPendingToken))
    case .credentialOfNobody:
      (
        APIError(.hint, message: "((User in pendingCredentialPayload does not exist.))"),
        APIError(.userNotFound)
      )
    }
  }
}

extension SecondFactors {
  /// The error that the project answers to that fault.
  func refusal(_ fault: FactorFault) throws(APIError) -> APIError {
    switch try answers {
    case .emulator: fault.errors.emulator
    case .production: fault.errors.production
    }
  }
}

extension APIError {
  /// What production says of a request that lacks something, or has too much.
  static let invalidRequest = APIError(
    .invalidArgument, message: "Request contains an invalid argument.")

  /// Two fields of which a message can have one only.
  static func secondOfOneof(
    _ oneof: String, field: String, at path: String = ""
  ) -> APIError {
    let place = path.isEmpty ? "" : " at '\(path)'"
    let text =
      "Invalid value\(place) (oneof), oneof field '\(oneof)' is already set. Cannot set '\(field)'"
    return .invalidFields([(path, text)])
  }
}
