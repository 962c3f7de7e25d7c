import HTTPTypes
import HearthErrors
import HearthMCP
import HearthOperations
import HearthSettings
import HearthSharing
import HearthTransport
import HearthWire

/// What the endpoints for agents work with.
struct AgentParts: ServerParts {
  let hosts: Hosts
  let server: ServerFacts
  let overview: Overview

  static func parts(of server: ServerContext) -> AgentParts {
    AgentParts(
      hosts: server.network.hosts, server: server.server, overview: server.overview)
  }
}

/// The Model Context Protocol over HTTP, at the port of the console. It has no
/// sessions, and the server sends answers only.
enum AnswerMCP: ServerOperation {
  static func run(
    _ request: ServerRequest, with parts: AgentParts
  ) async throws -> OutgoingReply {
    let call = request.call
    guard call.servedPort.kind == .console else { throw APIError(.routeNotFound) }
    guard parts.hosts.isOwnPeer(call.remoteAddress) else {
      throw APIError(
        .forbiddenHost, detail: "agents are answered on this machine only; run hearth mcp there")
    }
    let type = call.headers[.contentType] ?? ""
    guard type.prefix(while: { $0 != ";" }).lowercased() == "application/json" else {
      throw APIError(.invalidContentType, message: "Invalid content-type: \(type)")
    }
    let server = MCPServer(
      caller: OwnCaller(request), project: project(request, parts),
      version: HearthVersion.text, address: await address(parts))
    let exchange = await MCPExchange(call.body, header: header(of: call), answeredBy: server)
    guard let body = exchange.body else { return OutgoingReply(status: exchange.status) }
    var reply = ReplyWriter.json(body)
    reply.status = exchange.status
    return reply
  }

  private static func project(_ request: ServerRequest, _ parts: AgentParts) -> String {
    request.visitor?.project?.id ?? parts.server.defaultProject
  }

  private static func header(of call: IncomingCall) -> (String) -> String? {
    { name in HTTPField.Name(name).flatMap { call.headers[$0] } }
  }

  private static func address(_ parts: AgentParts) async -> String {
    guard let addresses = await parts.overview.addresses() else { return "" }
    return "Auth is at \(addresses.authority(addresses.authPort)), "
      + "Firestore at \(addresses.authority(addresses.firestorePort))."
  }
}

/// Makes the requests of tools inside of the server, as if they came to the same port.
private struct OwnCaller: HearthCaller {
  let request: ServerRequest

  init(_ request: ServerRequest) { self.request = request }

  func send(_ call: HearthCall) async throws(ToolFailure) -> HearthReply {
    var headers = HTTPFields()
    headers[.accept] = "application/json"
    if call.body != nil { headers[.contentType] = "application/json" }
    if let bearer = call.bearer { headers[.authorization] = "Bearer \(bearer)" }
    // On a shared server the tools may do what their caller may.
    if request.visitor != nil { headers[.authorization] = request.call.authorization }
    let reply = await request.respond(
      IncomingCall(
        method: call.method, target: call.path, headers: headers, host: request.call.host,
        body: call.body?.bytes ?? [], remoteAddress: request.call.remoteAddress,
        servedPort: request.call.servedPort))
    if let stream = reply.stream { stream.hangUp() }
    return HearthReply(status: reply.status, body: reply.body)
  }
}

/// What agents read first, in the form of llmstxt.org.
enum GetAgentGuide: ServerOperation {
  static func run(
    _ request: ServerRequest, with parts: AgentParts
  ) async throws -> OutgoingReply {
    guard let addresses = await parts.overview.addresses() else { throw APIError(.routeNotFound) }
    let place = AgentGuide.Place(
      auth: addresses.authority(addresses.authPort),
      firestore: addresses.authority(addresses.firestorePort),
      console: addresses.authority(addresses.consolePort),
      isSecure: parts.overview.configuration.usesTLS, project: parts.server.defaultProject)
    return ReplyWriter.text(AgentGuide.text(place), contentType: "text/plain; charset=utf-8")
  }
}
