import HearthCrypto
package import HearthErrors
package import HearthOperations
import HearthTime
import HearthWire

/// Registers a device, or changes one: what is not named stays, or has its usual value.
package enum RegisterDevice: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let fields = request.body
    try DeviceFields.checkNames(fields)
    let devices = PushDevices(in: project)
    let given = try DeviceFields.text(fields, name: "token")
    let named = request.path["registration"] ?? given
    guard given == nil || given == named else {
      throw APIError(.invalidArgument, detail: "the token of a device cannot be changed")
    }
    var device: PushDevice
    if let named, let known = try devices.device(named) {
      device = known
    } else {
      guard request.path["registration"] == nil else {
        throw APIError(
          .notFound, detail: "no device \(named ?? "") in project \(project.projectId)")
      }
      let fid = "c" + context.random.base64URL(21)
      let token = named ?? "\(fid):APA91b" + context.random.base64URL(134)
      device = PushDevice(
        token: token, fid: TokenForm.installation(of: token), platform: .android,
        state: .registered, createdAt: context.now)
    }
    try DeviceFields.apply(fields, to: &device)
    try devices.save(device, at: context.now)
    return .json(device.json)
  }
}

/// What a request says of a device.
enum DeviceFields {
  private static let known = ["token", "fid", "platform", "state", "name", "language", "topics"]

  static func checkNames(_ fields: JSONObject) throws(APIError) {
    for name in fields.keys where !known.contains(name) {
      throw APIError(
        .invalidArgument,
        detail: "unknown member '\(name)'; a device has \(known.joined(separator: ", "))")
    }
  }

  static func apply(_ fields: JSONObject, to device: inout PushDevice) throws(APIError) {
    if let fid = try text(fields, name: "fid") { device.fid = fid }
    if let name = try text(fields, name: "name") { device.name = name }
    if let platform = try text(fields, name: "platform") {
      guard let platform = PushDevice.Platform(rawValue: platform) else {
        throw refusal("platform", values: PushDevice.Platform.allCases.map(\.rawValue))
      }
      device.platform = platform
    }
    if let state = try text(fields, name: "state") {
      guard let state = PushDevice.State(rawValue: state) else {
        throw refusal("state", values: PushDevice.State.allCases.map(\.rawValue))
      }
      device.state = state
    }
    if fields["language"]?.isNull == true {
      device.language = nil
    } else if let given = try text(fields, name: "language") {
      device.language = try LanguageTag.read(given)
    }
    if let topics = fields["topics"] { device.topics = try bareNames(topics) }
  }

  private static func bareNames(_ topics: JSON) throws(APIError) -> [String] {
    guard let names = topics.array, names.count <= PushDevices.mostTopics else {
      throw APIError(.invalidArgument, detail: "topics must be a list of names of topics")
    }
    var bare: [String] = []
    for name in names {
      guard let topic = name.string.flatMap(TopicName.bare) else {
        throw APIError(.invalidArgument, detail: "topics must be a list of names of topics")
      }
      if !bare.contains(topic) { bare.append(topic) }
    }
    return bare
  }

  static func text(_ fields: JSONObject, name: String) throws(APIError) -> String? {
    guard let value = fields[name] else { return nil }
    guard let text = value.string, !text.isEmpty, text.utf8.count <= PushDevices.longestToken
    else {
      throw APIError(
        .invalidArgument,
        detail: "\(name) must be a text of at most \(PushDevices.longestToken) bytes")
    }
    return text
  }

  private static func refusal(_ name: String, values: [String]) -> APIError {
    APIError(.invalidArgument, detail: "\(name) must be one of \(values.joined(separator: ", "))")
  }
}

/// The devices of a project, the oldest first.
package enum ListDevices: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let devices = PushDevices(in: project)
    return .json([
      "devices": .array(try devices.all(limit: 1_000).map { .object($0.json) }),
      "total": .int(Int64(try devices.count())),
    ])
  }
}

/// A device by its token or its installation.
package enum GetDevice: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let name = request.path["registration"] ?? ""
    guard let device = try PushDevices(in: project).device(name) else {
      throw APIError(.notFound, detail: "no device \(name) in project \(project.projectId)")
    }
    return .json(device.json)
  }
}

/// Forgets a device.
package enum DeleteDevice: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let name = request.path["registration"] ?? ""
    guard try PushDevices(in: project).delete(name) else {
      throw APIError(.notFound, detail: "no device \(name) in project \(project.projectId)")
    }
    return .json([:])
  }
}

/// Forgets all devices and subscriptions.
package enum ClearDevices: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try PushDevices(in: project).deleteAll()
    return .json([:])
  }
}
