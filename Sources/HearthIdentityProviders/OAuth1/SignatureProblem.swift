import HearthErrors
import HearthOperations
import HearthWire

/// A refusal of a signed request, in X's words.
enum SignatureProblem: Error {
  /// The request says nothing of who sends it.
  case missing
  /// It is not signed by the client, or was sent before.
  case refused
  case badToken
  case badTime
  case badCallback
  case down

  private var code: Int64 {
    switch self {
    case .missing: 215
    case .refused: 32
    case .badToken: 89
    case .badTime: 135
    case .badCallback: 415
    case .down: 130
    }
  }

  private var status: Int {
    switch self {
    case .missing: 400
    case .refused, .badToken, .badTime: 401
    case .badCallback: 403
    case .down: 503
    }
  }

  private var words: String {
    switch self {
    case .missing: "Bad Authentication data."
    case .refused: "Could not authenticate you."
    case .badToken: "Invalid or expired token."
    case .badTime: "Timestamp out of bounds."
    case .badCallback:
      "Callback URL not approved for this client application. Approved callback URLs can be "
        + "adjusted in your application settings"
    case .down: "Over capacity"
    }
  }

  var outcome: Outcome {
    let error = JSON.members(["code": .int(code), "message": .string(words)])
    return .answer(
      Answer(
        status: status, body: .json(JSONObject(["errors": .array([error])])),
        headers: ProviderCall.uncached))
  }
}

/// An endpoint of OAuth 1.0a: RFC 5849.
protocol OAuth1Operation: ProviderOperation {
  /// - Throws: ``SignatureProblem``, or the error of the store.
  static func reply(_ call: ProviderCall) throws -> Outcome
}

extension OAuth1Operation {
  static func answer(_ call: ProviderCall) throws -> Outcome {
    guard call.personality.speaksOAuth1 else {
      throw APIError(.notFound, detail: "\(call.personality.title) has no such endpoint")
    }
    do {
      guard call.settings.fault != .temporarilyUnavailable else { throw SignatureProblem.down }
      return try reply(call)
    } catch let problem as SignatureProblem {
      return problem.outcome
    }
  }
}
