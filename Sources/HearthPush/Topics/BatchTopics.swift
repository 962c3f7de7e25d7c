package import HearthErrors
package import HearthOperations
import HearthTime
import HearthWire

/// Subscribes tokens to a topic, at the older address.
/// https://developers.google.com/instance-id/reference/server
package enum BatchAddTopics: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try PushDevices(in: project).checkRoom(for: request.array("registration_tokens")?.count ?? 0)
    return try BatchTopics.run(request, in: project) { token, topic throws(APIError) in
      try PushDevices(in: project).subscribe(token, to: topic, at: context.now)
    }
  }
}

/// Ends subscriptions. One that there is not counts as ended.
package enum BatchRemoveTopics: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try BatchTopics.run(request, in: project) { token, topic throws(APIError) in
      _ = try PushDevices(in: project).unsubscribe(token, from: topic)
    }
  }
}

private enum BatchTopics {
  private static let most = 1_000

  /// Each result is empty, or says with a word why the token was left out.
  static func run(
    _ request: WireRequest, in project: ProjectTransaction,
    change: (_ token: String, _ topic: String) throws(APIError) -> Void
  ) throws(APIError) -> Outcome {
    guard let topic = request.string("to").flatMap(TopicName.bare),
      let tokens = request.array("registration_tokens"), tokens.count <= most
    else { throw APIError(.invalidArgument, message: "INVALID_ARGUMENT") }
    var results: [JSON] = []
    for token in tokens {
      do throws(APIError) {
        let token = try Registrations.token(token.string ?? "", in: project)
        try change(token, topic)
        results.append([:])
      } catch {
        results.append(.members(["error": .string(word(error))]))
      }
    }
    return .json(["results": .array(results)])
  }

  private static func word(_ error: APIError) -> String {
    switch error.code {
    case .unregistered: "NOT_FOUND"
    case .resourceExhausted: "TOO_MANY_TOPICS"
    case .quotaExceeded: "RESOURCE_EXHAUSTED"
    case .senderIDMismatch: "PERMISSION_DENIED"
    case .unavailable: "DEADLINE_EXCEEDED"
    case .internalError: "INTERNAL"
    default: "INVALID_ARGUMENT"
    }
  }
}

/// Tokens in requests about topics.
enum Registrations {
  /// The token that subscriptions are kept under: that of the device where there is one.
  static func token(
    _ registration: String, in project: ProjectTransaction
  ) throws(APIError) -> String {
    guard !registration.isEmpty, registration.utf8.count <= PushDevices.longestToken else {
      throw .invalidToken
    }
    if let device = try PushDevices(in: project).device(registration) {
      if let refusal = device.topicRefusal { throw refusal }
      return device.token
    }
    guard try project.switches().strictDevices else { return registration }
    let isFormed = TokenForm.isToken(registration) || TokenForm.isInstallation(registration)
    throw isFormed ? APIError(.unregistered) : .invalidToken
  }
}

/// What is known of a token: its application and its topics.
package enum GetInstance: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let token = try Registrations.token(request.path["registration"] ?? "", in: project)
    let devices = PushDevices(in: project)
    var answer = JSONObject([
      "application": .string(project.projectId), "authorizedEntity": "123456789012",
      "platform": .string((try devices.device(token)?.platform ?? .android).rawValue.uppercased()),
    ])
    if ["true", "1"].contains(request.query["details"] ?? "") {
      var topics = JSONObject()
      for (topic, time) in try devices.subscriptions(of: token) {
        topics.append(topic, value: .members(["addDate": .string(String(time.iso8601.prefix(10)))]))
      }
      answer["rel"] = .members(["topics": .object(topics)])
    }
    return .json(answer)
  }
}
