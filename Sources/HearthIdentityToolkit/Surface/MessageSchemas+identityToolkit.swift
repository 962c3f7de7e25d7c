import HearthWire

extension MessageSchemas {
  /// The messages of the API description. Read when the first body comes in, not at start.
  package static let identityToolkit: MessageSchemas = {
    guard let surface = try? JSON.parse(SurfaceDescription.schemas) else {
      preconditionFailure("the embedded API description is not JSON")
    }
    return MessageSchemas(surface: surface)
  }()
}
