import HTTPTypes
import HearthDialects
import HearthErrors
import HearthIdentityToolkit
import HearthOperations
import HearthSQLite
import HearthSettings
import HearthTime
import HearthTransport
import HearthWire

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Lets dialects answer what no row of the route table is for.
struct DialectGateway: Sendable {
  private let dialects: DialectSet
  private let store: Store
  private let server: ServerFacts

  init(_ dialects: DialectSet, store: Store, server: ServerFacts) {
    self.dialects = dialects
    self.store = store
    self.server = server
  }

  /// A request that a dialect is to answer.
  struct DialectExchange {
    fileprivate let engine: DialectEngine
    fileprivate let call: DialectCall
    let project: String
    /// For faults and the log.
    var operation: String { call.operation }
    var email: String? { call.email }
  }

  /// The dialect that a request means, if any.
  func find(_ call: IncomingCall) -> DialectExchange? {
    guard !dialects.engines.isEmpty else { return nil }
    let found = dialects.call(
      DialectRequest(
        method: call.method, path: String(call.path), query: FormFields(parsing: call.query),
        headers: call.headers.map { (name: $0.name.canonicalName, value: $0.value) },
        body: call.body, remoteAddress: call.remoteAddress),
      port: call.servedPort.dialectPort)
    return found.map { engine, call in
      DialectExchange(
        engine: engine, call: call,
        project: engine.definition.project ?? server.defaultProject)
    }
  }

  func answer(_ exchange: DialectExchange, context: Context) async throws(APIError)
    -> OutgoingReply
  {
    let slowChecks = SlowPasswordChecks()
    while true {
      do throws(APIError) {
        return try answer(exchange, context: context, slowChecks: slowChecks)
      } catch {
        guard try await slowChecks.makeWanted(on: server.hashing) else { throw error }
      }
    }
  }

  private func answer(
    _ exchange: DialectExchange, context: Context, slowChecks: SlowPasswordChecks
  ) throws(APIError) -> OutgoingReply {
    let engine = exchange.engine
    var outbox = Outbox()
    let answer = try store.transaction { transaction throws(APIError) in
      let project = ProjectTransaction(
        transaction, projectId: exchange.project, tenantId: engine.definition.tenant,
        server: server)
      let answer = try engine.answer(
        exchange.call, in: DialectTransaction(project, context: context, slowChecks: slowChecks),
        now: context.now,
        random: context.random)
      outbox = project.outbox
      return answer
    }
    server.changes.publish(outbox.changes)
    var reply = answer.body.map(ReplyWriter.json) ?? OutgoingReply(status: answer.status)
    reply.status = answer.status
    for (name, value) in answer.headers {
      if let field = HTTPField.Name(name) { reply.headers[field] = value }
    }
    return reply
  }
}

extension Configuration {
  /// The dialects of the files that the configuration names.
  ///
  /// - Throws: ``ConfigurationError`` with the file and the JSON pointer of the first mistake.
  func dialects() throws(ConfigurationError) -> DialectSet {
    var definitions: [DialectDefinition] = []
    for path in dialectPaths {
      guard let data = FileManager.default.contents(atPath: path) else {
        throw ConfigurationError("cannot read the dialect \(path)")
      }
      do throws(DefinitionFault) {
        definitions.append(try DialectDefinition(parsing: data))
        _ = try DialectSet(definitions)
      } catch {
        throw ConfigurationError("\(path): \(error)")
      }
    }
    do throws(DefinitionFault) {
      return try DialectSet(definitions)
    } catch {
      throw ConfigurationError("\(error)")
    }
  }
}
