import HearthErrors
import HearthOperations
import HearthTokens
import HearthTransport
import HearthWire

/// Makes a new signing key; tokens of the older ones stay good.
enum RotateKeys: ServerOperation {
  struct Parts: ServerParts {
    let keys: KeySet
    let changes: Changes

    static func parts(of server: ServerContext) -> Parts {
      Parts(keys: server.keys, changes: server.server.changes)
    }
  }

  static func run(
    _ request: ServerRequest, with parts: Parts
  ) async throws -> OutgoingReply {
    let id: String
    do {
      id = try await parts.keys.rotate().id
    } catch KeyError.unwritable(_, let code) {
      throw APIError(
        .internalError, detail: "the new signing key cannot be written: \(KeyError.words(code))")
    }
    let key = JSON.members(["kid": .string(id)])
    parts.changes.publish([.eventEverywhere(name: "keys.rotated", key)])
    return ReplyWriter.json(key)
  }
}
