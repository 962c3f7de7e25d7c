import HTTPTypes
package import HearthErrors
import HearthExports
package import HearthOperations
package import HearthSharing
package import HearthTransport
import HearthWire

/// An endpoint that the server answers itself, without a transaction that the dispatcher makes.
package protocol ServerOperation: Sendable {
  /// What the endpoint reads of the call.
  associatedtype Request: ServerOperationRequest
  /// What the endpoint works with. It can reach nothing else of the server.
  associatedtype Parts: ServerParts

  static func run(_ request: Request, with parts: Parts) async throws -> OutgoingReply
}

extension ServerOperation {
  /// Runs the operation. Every error leaves as one that has an envelope.
  package static func answer(
    _ request: ServerRequest, by server: ServerContext
  ) async throws(APIError) -> OutgoingReply {
    do {
      return try await run(try Request(request), with: Parts.parts(of: server))
    } catch let error as APIError {
      throw error
    } catch let error as ExportError {
      throw APIError(.invalidArgument, detail: error.description)
    } catch {
      throw APIError(.internalError, detail: "\(error)")
    }
  }
}

/// The fields that such an endpoint takes, read once from body, query and path.
package protocol ServerOperationRequest: Sendable {
  /// - Throws: INVALID_ARGUMENT with the member that is wrong.
  init(_ request: ServerRequest) throws(APIError)
}

/// For an endpoint that takes the call as it is.
extension ServerRequest: ServerOperationRequest {
  package init(_ request: ServerRequest) { self = request }
}

/// What a caller sent to such an endpoint.
package struct ServerRequest: Sendable {
  package let wire: WireRequest
  package let call: IncomingCall
  /// The project of the path, or the default one.
  package let project: String
  /// Who calls, as far as the row asks for it.
  package let caller: Caller
  /// Who calls a shared server; nil for apps, and where the server is not shared.
  package let visitor: Visitor?
  /// Answers another call, as if a client had made it.
  package let respond: @Sendable (IncomingCall) async -> OutgoingReply

  package init(
    wire: WireRequest, call: IncomingCall, project: String, caller: Caller, visitor: Visitor?,
    respond: @escaping @Sendable (IncomingCall) async -> OutgoingReply
  ) {
    self.wire = wire
    self.call = call
    self.project = project
    self.caller = caller
    self.visitor = visitor
    self.respond = respond
  }

  static let pageRefusal = APIError(.forbiddenHost, detail: "web pages cannot export or import")

  /// Refuses pages of all other origins: what reads and writes files is not for the app under test.
  func requireOwnPage() throws(APIError) {
    guard let origin = call.headers[.origin] else { return }
    guard let host = call.host, origin == "http://" + host || origin == "https://" + host else {
      throw Self.pageRefusal
    }
  }

  /// A path of the machine that the server runs on.
  func absolutePath(_ field: String) throws(APIError) -> String {
    guard let path = wire.string(field), path.hasPrefix("/") else {
      throw APIError(.invalidArgument, detail: "\(field) must be an absolute path")
    }
    return path
  }
}
