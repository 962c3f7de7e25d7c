import HearthErrors
import HearthObservation
import HearthOperations
import HearthTransport
import HearthWire

/// The presets of faults: the built-in ones, then those that people keep.
enum ListFaultPresets: ServerOperation {
  static func run(
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply {
    let presets = try context.faultPresets.all()
    return ReplyWriter.json(.members(["presets": .array(presets.map(\.json))]))
  }
}

/// Keeps faults under a name, in the place of those that had it.
enum KeepFaultPreset: ServerOperation {
  static func run(
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply {
    try request.checkMembers("name", "title", "builtIn", "faults")
    let preset = try FaultPreset(
      request.preset, body: request.wire.body, targets: context.faults.targets)
    try context.faultPresets.keep(preset)
    return ReplyWriter.json(preset.json)
  }
}

/// Deletes a preset that somebody has kept.
enum DeleteFaultPreset: ServerOperation {
  static func run(
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply {
    try context.faultPresets.delete(request.preset)
    return ReplyWriter.json([:])
  }
}

/// Makes the faults of a preset those of a project.
enum ApplyFaultPreset: ServerOperation {
  static func run(
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply {
    let preset = try context.faultPresets.preset(request.preset)
    try context.faults.replace(request.project, with: .members(["faults": preset.faults]))
    return context.faultsChanged(of: request.project)
  }
}

/// The operations that faults can be for.
enum ListOperations: ServerOperation {
  static func run(
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply {
    let operations = context.faults.targets.all.map { id in
      JSON.members([
        "id": .string(id), "group": .string(String(id.prefix { $0 != "." })),
        "name": .string(id.split(separator: ".").suffix(2).joined(separator: ".")),
      ])
    }
    return ReplyWriter.json(.members(["operations": .array(operations)]))
  }
}

extension ServerContext {
  fileprivate var faultPresets: FaultPresets {
    FaultPresets(store: store, targets: faults.targets)
  }
}

extension ServerRequest {
  fileprivate var preset: String { wire.path["presetName"] ?? "" }
}
