import HearthErrors
import HearthOperations
import HearthWire

/// Shows the two settings that the official emulator lets anybody change.
enum GetEmulatorConfig: Operation {
  static func run(
    _ request: NoFields, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    .json(try project.settings().emulatorConfig)
  }
}

/// Changes the settings that the body names; an empty body changes nothing.
enum UpdateEmulatorConfig: Operation {
  struct Request: OperationRequest {
    let config: JSONObject

    init(_ wire: WireRequest) { config = wire.body }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    .json(try project.updateSettings(withEmulatorConfig: request.config).emulatorConfig)
  }
}
