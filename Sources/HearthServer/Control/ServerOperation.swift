import HTTPTypes
import HearthDirectory
import HearthErrors
import HearthEvents
import HearthExports
import HearthIdentityToolkit
import HearthMailIn
import HearthObservation
import HearthOperations
import HearthSQLite
import HearthSeeds
import HearthSharing
import HearthTokens
import HearthTransport
import HearthTriggers
import HearthWire

/// An endpoint that the server answers itself, without a transaction that the dispatcher makes.
protocol ServerOperation: Sendable {
  static func run(
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply
}

extension ServerOperation {
  /// Runs the operation. Every error leaves as one that has an envelope.
  static func answer(
    _ request: ServerRequest, in context: ServerContext
  ) async throws(APIError) -> OutgoingReply {
    do {
      return try await run(request, in: context)
    } catch let error as APIError {
      throw error
    } catch let error as ExportError {
      throw APIError(.invalidArgument, detail: error.description)
    } catch {
      throw APIError(.internalError, detail: "\(error)")
    }
  }
}

/// What a caller sent to such an endpoint.
struct ServerRequest: Sendable {
  let wire: WireRequest
  let call: IncomingCall
  /// The project of the path, or the default one.
  let project: String
  /// Who calls, as far as the row asks for it.
  let caller: Caller
  /// Who calls a shared server; nil for apps, and where the server is not shared.
  let visitor: Visitor?
  /// Answers another call, as if a client had made it.
  let respond: @Sendable (IncomingCall) async -> OutgoingReply

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

/// What such an endpoint may reach.
struct ServerContext: Sendable {
  let store: Store
  let keys: KeySet
  let server: ServerFacts
  let hosts: Hosts
  let faults: Faults
  let recorder: CallRecorder
  let exports: Exports
  let events: EventDispatch
  let outgoingHosts: OutgoingHosts
  let mailIntake: MailIntake
  let trust: Trust
  /// Nil unless the server runs as Google.
  let google: GoogleGateway?
  /// Nil if no relay is configured.
  let relay: SmtpRelay?
  /// Stops the server; nil where `POST /shutdown` cannot.
  let onShutdown: (@Sendable () -> Void)?
  let snapshots: ProjectSnapshots
  let accounts: AccountDirectory
  let overview: Overview
  /// Nil without `--require-token`.
  let sharing: Sharing?
}
