import HearthErrors
import HearthIdentityToolkit
import HearthOperations
import HearthWire

/// Shows where this project is between the official emulator and production.
enum GetSwitches: Operation {
  static func run(
    _ request: NoFields, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    .json(try project.switches().json.object ?? JSONObject())
  }
}

/// Sets the switches that the body names.
enum UpdateSwitches: Operation {
  struct Request: OperationRequest {
    let switches: JSONObject

    init(_ wire: WireRequest) { switches = wire.body }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    var settings = try project.settings()
    try settings.switches.update(request.switches)
    try project.save(settings)
    return .json(settings.switches.json.object ?? JSONObject())
  }
}
