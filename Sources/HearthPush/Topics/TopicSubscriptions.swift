package import HearthErrors
package import HearthOperations
import HearthTime
import HearthWire

/// Subscribes a token or an installation to a topic.
package enum CreateTopicSubscription: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let subscription = try Subscription(request, in: project)
    let devices = PushDevices(in: project)
    try devices.checkRoom()
    let isNew = try devices.subscribe(
      subscription.token, to: subscription.topic, at: context.now)
    guard isNew else {
      throw APIError(.alreadyExists, message: "Requested entity already exists")
    }
    return .json(subscription.json(context.now))
  }
}

/// The same, for a subscription that there may be.
package enum UpdateTopicSubscription: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let subscription = try Subscription(request, in: project)
    let devices = PushDevices(in: project)
    if Subscription.allowsMissing(request) {
      try devices.checkRoom()
      try devices.subscribe(subscription.token, to: subscription.topic, at: context.now)
    }
    return .json(subscription.json(try subscription.start(in: devices)))
  }
}

package enum GetTopicSubscription: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let subscription = try Subscription(request, in: project)
    return .json(subscription.json(try subscription.start(in: PushDevices(in: project))))
  }
}

package enum ListTopicSubscriptions: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let registration = request.path["registration"] ?? ""
    let token = try Registrations.token(registration, in: project)
    let size = (request.query["pageSize"] ?? request.query["page_size"] ?? "0")
    guard let wanted = Int(size), wanted >= 0 else {
      throw APIError(.invalidArgument, message: "Invalid page size: \(size.prefix(20))")
    }
    // By name: a page begins after the last name of the one before.
    let last = (request.query["pageToken"] ?? request.query["page_token"]).nonEmpty
    let found = try PushDevices(in: project).subscriptions(of: token).filter { subscription in
      last.map { subscription.topic > $0 } ?? true
    }
    let page = found.prefix(wanted == 0 ? found.count : wanted)
    let hasMore = page.count < found.count
    return .json(
      JSONObject([
        "topicSubscriptions": .array(
          page.map {
            .object(
              Subscription(
                registration: registration, token: token, topic: $0.topic,
                projectId: project.projectId
              ).json($0.time))
          }),
        "nextPageToken": hasMore ? (page.last?.topic).json : nil,
      ]))
  }
}

package enum DeleteTopicSubscription: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let subscription = try Subscription(request, in: project)
    let wasThere = try PushDevices(in: project).unsubscribe(
      subscription.token, from: subscription.topic)
    guard wasThere || Subscription.allowsMissing(request) else {
      throw APIError(.notFound, message: "Requested entity was not found.")
    }
    return .json([:])
  }
}

private struct Subscription {
  let registration: String
  let token: String
  let topic: String
  let projectId: String

  init(registration: String, token: String, topic: String, projectId: String) {
    self.registration = registration
    self.token = token
    self.topic = topic
    self.projectId = projectId
  }

  init(_ request: WireRequest, in project: ProjectTransaction) throws(APIError) {
    let name =
      request.path["topic"] ?? request.query["topic_name"] ?? request.query["topicName"]
      ?? request.string("topicName") ?? request.string("topic_name")
    guard let topic = name.flatMap(TopicName.bare) else {
      throw APIError(.invalidArgument, message: "Invalid topic name provided.")
    }
    registration = request.path["registration"] ?? ""
    token = try Registrations.token(registration, in: project)
    self.topic = topic
    projectId = project.projectId
  }

  static func allowsMissing(_ request: WireRequest) -> Bool {
    (request.query["allow_missing"] ?? request.query["allowMissing"])?.lowercased() == "true"
  }

  func start(in devices: PushDevices) throws(APIError) -> Timestamp {
    guard let found = try devices.subscriptions(of: token).first(where: { $0.topic == topic })
    else { throw APIError(.notFound, message: "Requested entity was not found.") }
    return found.time
  }

  func json(_ time: Timestamp) -> JSONObject {
    JSONObject([
      "name": .string(
        "projects/\(projectId)/registrations/\(registration)/topicSubscriptions/\(topic)"),
      "topicName": .string(topic), "createTime": .string(time.iso8601),
    ])
  }
}
