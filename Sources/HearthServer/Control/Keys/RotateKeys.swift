import HearthErrors
import HearthOperations
import HearthTokens
import HearthTransport
import HearthWire

/// Makes a new signing key; tokens of the older ones stay good.
enum RotateKeys: ServerOperation {
  static func run(
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply {
    let id: String
    do {
      id = try await context.keys.rotate().id
    } catch KeyError.unwritable(_, let reason) {
      throw APIError(.internalError, detail: "the new signing key cannot be written: \(reason)")
    }
    let key = JSON.members(["kid": .string(id)])
    context.server.changes.publish([.eventEverywhere(name: "keys.rotated", key)])
    return ReplyWriter.json(key)
  }
}
