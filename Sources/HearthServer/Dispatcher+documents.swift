import HearthErrors
import HearthIdentityToolkit
import HearthOperations
import HearthSQLite
import HearthTokens
import HearthWire

extension Dispatcher {
  /// What the server answers by itself, without a transaction.
  func serve(
    _ document: ServedDocument, _ request: WireRequest, _ call: IncomingCall
  ) async throws(APIError) -> OutgoingReply {
    do {
      return try await reply(document, request, call)
    } catch let error as APIError {
      throw error
    } catch let error as ExportError {
      throw APIError(.invalidArgument, error.description)
    } catch {
      throw APIError(.internalError, "\(error)")
    }
  }

  private func reply(
    _ document: ServedDocument, _ request: WireRequest, _ call: IncomingCall
  ) async throws -> OutgoingReply {
    switch document {
    case .ready: return try ready(call)
    case .openAPI:
      let base = hosts.baseURL(call.host)
      return ReplyWriter.json(OpenAPI.document(table.rows, baseURL: base))
    case .jwks: return ReplyWriter.cached(try await keys.jwks())
    case .certificates: return ReplyWriter.cached(try await keys.certificates())
    case .sessionCookieKeys:
      return ReplyWriter.cached(
        .members([
          "keys": try await keys.jwks()["keys"],
          "kind": "identitytoolkit#GetSessionCookiePublicKeysResponse",
        ]))
    case .openIDConfiguration:
      return ReplyWriter.cached(openIDConfiguration(call))
    case .rotateKeys: return try await rotateKeys()
    case .console: return try console(request)
    case .projects: return try projects()
    case .clock: return try clock(request, call.method)
    case .faults: return try faults(request, call.method)
    case .requests: return requests(request, call.method)
    case .shutdown: return try shutdown(call)
    case .events: return events(request)
    case .firestore: throw APIError(.routeNotFound)
    case .exportAccounts: return try await exportAccounts(request)
    case .importAccounts: return try await importAccounts(request)
    }
  }

  private func rotateKeys() async throws -> OutgoingReply {
    let id: String
    do {
      id = try await keys.rotate().id
    } catch KeyError.unwritable(_, let reason) {
      throw APIError(.internalError, "the new signing key cannot be written: \(reason)")
    }
    let key = JSON.members(["kid": .string(id)])
    server.changes.publish([.eventEverywhere(name: "keys.rotated", key)])
    return ReplyWriter.json(key)
  }

  private func exportAccounts(_ request: WireRequest) async throws -> OutgoingReply {
    let directory = try Self.path(request, "directory")
    let export = AccountExport(store, server, projectId: project(of: request))
    let end = try await server.files.run { Result { try export.write(to: directory) } }
    try end.get()
    return ReplyWriter.json(.members(["directory": .string(directory)]))
  }

  private func importAccounts(_ request: WireRequest) async throws -> OutgoingReply {
    let path = try Self.path(request, "path")
    let importer = try AccountImporter(
      store, server, projectId: project(of: request), hash: request.object("hash") ?? JSONObject())
    let read = try await server.files.run { Result { try importer.read(path) } }
    let report = try read.get()
    return ReplyWriter.json(
      .members([
        "imported": .int(Int64(report.imported)), "refusals": .strings(report.refusals),
      ]))
  }

  func project(of request: WireRequest) -> String {
    request.path["targetProjectId"].nonEmpty ?? server.defaultProject
  }

  private static func path(_ request: WireRequest, _ field: String) throws(APIError) -> String {
    guard let path = request.string(field), path.hasPrefix("/") else {
      throw APIError(.invalidArgument, "\(field) must be an absolute path")
    }
    return path
  }

  private func ready(_ call: IncomingCall) throws(APIError) -> OutgoingReply {
    guard call.door.tokenMode == .none || !keys.hasFailed else {
      throw APIError(.unavailable, "no token can be signed")
    }
    guard !store.isLost else { throw APIError(.unavailable, "the data directory is gone") }
    if call.method == "HEAD" { return OutgoingReply(status: 200) }
    switch call.door.kind {
    case .firestore: return ReplyWriter.text("Ok", contentType: "text/plain; charset=utf-8")
    case .auth, .console, .dialect:
      return ReplyWriter.json(
        .members([
          "authEmulator": .members([
            "ready": true,
            "docs": "https://firebase.google.com/docs/emulator-suite",
            "apiSpec": "/emulator/openapi.json",
          ])
        ]))
    }
  }

  private func openIDConfiguration(_ call: IncomingCall) -> JSON {
    let base = hosts.baseURL(call.host)
    let project = PathTemplate.split(call.path).dropLast(2).last.map { PercentCoding.decode($0) }
    let issuer = "https://securetoken.google.com/\(project.nonEmpty ?? server.defaultProject)"
    let jwks = "/www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com"
    return .members([
      "issuer": .string(issuer),
      "jwks_uri": .string(base + jwks),
      "response_types_supported": ["id_token"],
      "subject_types_supported": ["public"],
      "id_token_signing_alg_values_supported": ["RS256"],
    ])
  }
}
