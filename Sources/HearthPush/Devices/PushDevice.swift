import HearthErrors
package import HearthTime
package import HearthWire

/// A place where an app gets push messages, as a test or the web SDK registered it.
package struct PushDevice: Sendable {
  /// What a send to it ends with.
  package enum State: String, Sendable, CaseIterable {
    case registered
    case unregistered, senderIdMismatch, quotaExceeded, thirdPartyAuthError, invalidArgument
    case unavailable, internalError

    /// Nil where the message arrives.
    fileprivate func refusal(isOfApple: Bool) -> APIError? {
      switch self {
      case .registered: nil
      case .unregistered:
        isOfApple
          ? APIError(.unregistered).with(appleStatus: 410, reason: "Unregistered")
          : APIError(.unregistered)
      case .senderIdMismatch: APIError(.senderIDMismatch)
      case .quotaExceeded: APIError(.quotaExceeded)
      case .thirdPartyAuthError:
        isOfApple
          ? APIError(.thirdPartyAuthError).with(appleStatus: 403, reason: "InvalidProviderToken")
          : APIError(.thirdPartyAuthError)
      case .invalidArgument: .invalidToken
      case .unavailable: APIError(.unavailable)
      case .internalError: APIError(.internalError).because("the state of a device")
      }
    }
  }

  package enum Platform: String, Sendable, CaseIterable {
    case android, ios, web
  }

  package let token: String
  package var fid: String
  package var platform: Platform
  package var state: State
  /// What a person calls it.
  package var name: String?
  /// What localisation keys are looked up in; nil for that of the project.
  package var language: LanguageTag?
  package var createdAt: Timestamp
  package var topics: [String] = []

  /// What a send ends with; nil where the message arrives.
  var refusal: APIError? { state.refusal(isOfApple: platform == .ios) }

  /// What a change of its topics ends with. A key of Apple's counts for messages only.
  var topicRefusal: APIError? { state == .thirdPartyAuthError ? nil : refusal }

  package var json: JSONObject {
    JSONObject([
      "token": .string(token), "fid": .string(fid), "platform": .string(platform.rawValue),
      "state": .string(state.rawValue), "name": name.map(JSON.string),
      "language": language.map { .string($0.text) }, "topics": .strings(topics),
      "createdAt": .string(createdAt.iso8601),
    ])
  }
}

extension APIError {
  static let invalidToken = APIError(
    .invalidArgument,
    message: "The registration token is not a valid FCM registration token")
}

/// Tokens and installation ids by their form.
enum TokenForm {
  /// `^[cdef][\w-]{21}$`.
  static func isInstallation(_ text: some StringProtocol) -> Bool {
    text.utf8.count == 22 && "cdef".contains(text.first ?? " ")
      && text.utf8.allSatisfy {
        $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
      }
  }

  static func isToken(_ text: String) -> Bool {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    return parts.count == 2 && isInstallation(parts[0]) && parts[1].hasPrefix("APA91b")
  }

  /// The installation of a token; a token of another form is its own.
  static func installation(of token: String) -> String {
    isToken(token) ? String(token.prefix(22)) : token
  }
}
