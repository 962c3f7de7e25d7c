import HearthCrypto
import HearthErrors
import HearthOperations
import HearthTransport
import HearthWire

/// A stand-in for Firebase Installations, which Auth and Firestore do not need. It keeps nothing.
/// https://firebase.google.com/docs/reference/rest (installations)
enum CreateInstallation: ServerOperation {
  static func run(
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply {
    let random = Randomness()
    let given = request.wire.string("fid") ?? ""
    let isUsable = given.utf8.count == 22 && Base64.decode(given) != nil
    let id = isUsable ? given : random.base64URL(22)
    let project = request.wire.path["installationProject"] ?? ""
    return ReplyWriter.json(
      .members([
        "name": .string("projects/\(project)/installations/\(id)"), "fid": .string(id),
        "refreshToken": .string("hearth-" + random.base64URL(40)),
        "authToken": InstallationToken.json(random),
      ]))
  }
}

enum GenerateInstallationToken: ServerOperation {
  static func run(
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply {
    ReplyWriter.json(InstallationToken.json(Randomness()))
  }
}

enum DeleteInstallation: ServerOperation {
  static func run(
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply {
    ReplyWriter.json([:])
  }
}

private enum InstallationToken {
  static func json(_ random: Randomness) -> JSON {
    .members(["token": .string("hearth-" + random.base64URL(60)), "expiresIn": "604800s"])
  }
}
