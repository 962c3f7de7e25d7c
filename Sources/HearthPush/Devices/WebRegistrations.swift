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
    guard (web["origin"]?.string ?? "").utf8.count <= PushDevices.longestToken else {
      throw APIError(.invalidArgument, message: "The origin of the registration is too long.")
    }
    let fid = try installation(context, in: project)
    let devices = PushDevices(in: project)
    // A second registration of an installation takes the place of the first.
    if var earlier = try devices.device(fid) {
      earlier.fid = earlier.token
      earlier.state = .unregistered
      earlier.topics = []
      try devices.save(earlier, at: context.now)
    }
    var device = PushDevice(
      token: "\(fid):APA91b" + context.random.base64URL(134), fid: fid, platform: .web,
      state: .registered, createdAt: context.now)
    device.name = web["origin"]?.string
    try devices.save(device, at: context.now)
    return .json(device.registration(in: project))
  }

  /// The installation that the caller's token is of. A token of another server stands for a new one,
  /// except in strict projects.
  private static func installation(
    _ context: Context, in project: ProjectTransaction
  ) throws(APIError) -> String {
    guard let header = context.installation, header.hasPrefix("FIS ") else {
      throw .noInstallationToken
    }
    let fid = InstallationToken.installation(of: String(header.dropFirst(4)))
    if let fid {
      if try Installations(in: project).installation(fid)?.isDeleted == true {
        throw .noInstallationToken
      }
      return fid
    }
    guard try !project.switches().strictDevices else { throw .noInstallationToken }
    return "c" + context.random.base64URL(21)
  }
}

/// Renews a registration, which stays as it is.
package enum UpdateWebRegistration: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let device = try PushDevice.registered(request, in: project, context: context)
    return .json(device.registration(in: project))
  }
}

/// Ends a registration: sends to its token fail from then on.
package enum DeleteWebRegistration: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    var device = try PushDevice.registered(request, in: project, context: context)
    device.state = .unregistered
    device.topics = []
    try PushDevices(in: project).save(device, at: context.now)
    return .json([:])
  }
}

extension PushDevice {
  /// The device of the request's path, for a caller with a token of an installation.
  fileprivate static func registered(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> PushDevice {
    guard let header = context.installation, header.hasPrefix("FIS ") else {
      throw .noInstallationToken
    }
    let name = request.path["registration"] ?? ""
    guard let device = try PushDevices(in: project).device(name), device.state != .unregistered
    else { throw APIError(.notFound, message: "Requested entity was not found.") }
    let caller = InstallationToken.installation(of: String(header.dropFirst(4)))
    // A test may have given the device an id of another form.
    guard caller == nil || caller == device.fid || !TokenForm.isInstallation(device.fid) else {
      throw APIError(
        .permissionDenied, message: "The registration belongs to another installation.")
    }
    return device
  }

  /// What `getToken` reads, and what `register` reads.
  fileprivate func registration(in project: ProjectTransaction) -> JSONObject {
    JSONObject([
      "token": .string(token),
      "name": .string("projects/\(project.projectId)/registrations/\(fid)"),
    ])
  }
}
