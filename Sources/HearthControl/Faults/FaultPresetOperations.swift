import HearthErrors
import HearthObservation
import HearthOperations
import HearthTransport
import HearthWire

/// The presets of faults: the built-in ones, then those that people keep.
enum ListFaultPresets: ServerOperation {
  static func run(
    _ request: ServerRequest, with control: FaultControl
  ) async throws -> OutgoingReply {
    let presets = try control.presets.all()
    return ReplyWriter.json(.members(["presets": .array(presets.map(\.json))]))
  }
}

/// Keeps faults under a name, in the place of those that had it.
enum KeepFaultPreset: ServerOperation {
  static func run(
    _ request: ServerRequest, with control: FaultControl
  ) async throws -> OutgoingReply {
    try request.checkMembers("name", "title", "builtIn", "faults")
    let preset = try FaultPreset(
      request.preset, body: request.wire.body, targets: control.faults.targets)
    try control.presets.keep(preset)
    return ReplyWriter.json(preset.json)
  }
}

/// Deletes a preset that somebody has kept.
enum DeleteFaultPreset: ServerOperation {
  static func run(
    _ request: ServerRequest, with control: FaultControl
  ) async throws -> OutgoingReply {
    try control.presets.delete(request.preset)
    return ReplyWriter.json([:])
  }
}

/// Makes the faults of a preset those of a project.
enum ApplyFaultPreset: ServerOperation {
  static func run(
    _ request: ServerRequest, with control: FaultControl
  ) async throws -> OutgoingReply {
    let preset = try control.presets.preset(request.preset)
    try control.faults.replace(request.project, with: .members(["faults": preset.faults]))
    return control.changed(of: request.project)
  }
}

/// The operations that faults can be for.
enum ListOperations: ServerOperation {
  static func run(
    _ request: ServerRequest, with control: FaultControl
  ) async throws -> OutgoingReply {
    let operations = control.faults.targets.all.map { id in
      JSON.members([
        "id": .string(id), "group": .string(String(id.prefix { $0 != "." })),
        "name": .string(id.split(separator: ".").suffix(2).joined(separator: ".")),
      ])
    }
    return ReplyWriter.json(.members(["operations": .array(operations)]))
  }
}

extension ServerRequest {
  fileprivate var preset: String { wire.path["presetName"] ?? "" }
}
