import HearthCrypto
package import HearthErrors
package import HearthOperations
import HearthTime
import HearthWire

/// Registers a browser, as `getToken` of the web SDK does when the browser has a push service.
package enum CreateWebRegistration: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    guard let web = request.object("web"), web["endpoint"]?.string?.isEmpty == false else {
      throw APIError(.invalidArgument, message: "The registration has no web endpoint.")
    }
    let fid = "c" + context.random.base64URL(21)
    var device = PushDevice(
      token: "\(fid):APA91b" + context.random.base64URL(134), fid: fid, platform: .web,
      state: .registered, createdAt: context.now)
    device.name = web["origin"]?.string
    try PushDevices(in: project).save(device, at: context.now)
    return .json(device.registration(in: project))
  }
}

/// Renews a registration, which stays as it is.
package enum UpdateWebRegistration: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let name = request.path["registration"] ?? ""
    guard let device = try PushDevices(in: project).device(name) else {
      throw APIError(.notFound, message: "Requested entity was not found.")
    }
    return .json(device.registration(in: project))
  }
}

/// Ends a registration: sends to its token fail from then on.
package enum DeleteWebRegistration: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let devices = PushDevices(in: project)
    guard var device = try devices.device(request.path["registration"] ?? "") else {
      throw APIError(.notFound, message: "Requested entity was not found.")
    }
    device.state = .unregistered
    device.topics = []
    try devices.save(device, at: context.now)
    return .json([:])
  }
}

extension PushDevice {
  /// What `getToken` reads, and what `register` reads.
  fileprivate func registration(in project: ProjectTransaction) -> JSONObject {
    JSONObject([
      "token": .string(token),
      "name": .string("projects/\(project.projectId)/registrations/\(fid)"),
    ])
  }
}
