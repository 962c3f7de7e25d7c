package import HearthWire

/// Answers the requests of a client, whatever carries them.
package struct MCPServer: Sendable {
  private let caller: any HearthCaller
  /// The project of a call that names none.
  private let project: String
  private let version: String
  /// The instructions in the answer to `initialize`.
  private let instructions: String

  package init(caller: any HearthCaller, project: String, version: String, address: String) {
    self.caller = caller
    self.project = project
    self.version = version
    instructions = """
      Hearth emulates Firebase Auth and Firestore on this machine and keeps every mail. \(address) \
      The default project is \(project). Create users, wait for mails, open their links, read and \
      write documents, and find out why rules refused. Every error says what to do next.
      """
  }

  /// The answer to a request.
  package func answer(_ request: MCPRequest) async -> JSON {
    do throws(MCPError) {
      var result = try await result(of: request)
      if request.revision != nil { complete(&result) }
      return .members(["jsonrpc": "2.0", "id": request.id, "result": .object(result)])
    } catch {
      return error.reply(to: request.id)
    }
  }

  private func result(of request: MCPRequest) async throws(MCPError) -> JSONObject {
    try checkRevision(of: request)
    switch request.method {
    case "initialize": return initialized(request)
    case "server/discover": return try discovered(request)
    case "ping": return JSONObject()
    case "tools/list": return try tools(request)
    case "tools/call": return try await call(request)
    default: throw MCPError(.methodNotFound, message: "Method not found: \(request.method)")
    }
  }

  private func checkRevision(of request: MCPRequest) throws(MCPError) {
    guard let revision = request.revision else { return }
    guard let revision = revision.string else {
      throw MCPError(.invalidParams, message: "\(MCPRevision.versionKey) must be a string")
    }
    guard MCPRevision.withoutHandshake.contains(revision) else {
      throw .unsupportedRevision(revision)
    }
  }

  // MARK: Methods

  private var info: JSON { ["name": "hearth", "title": "Hearth", "version": .string(version)] }
  private var capabilities: JSON { ["tools": ["listChanged": false]] }

  private func initialized(_ request: MCPRequest) -> JSONObject {
    JSONObject([
      "protocolVersion": .string(
        MCPRevision.negotiated(request.params["protocolVersion"]?.string)),
      "capabilities": capabilities, "serverInfo": info, "instructions": .string(instructions),
    ])
  }

  private func discovered(_ request: MCPRequest) throws(MCPError) -> JSONObject {
    guard request.revision != nil else {
      throw MCPError(.invalidParams, message: "params._meta must have \(MCPRevision.versionKey)")
    }
    return cached([
      "supportedVersions": .strings(MCPRevision.withoutHandshake), "capabilities": capabilities,
      "instructions": .string(instructions),
    ])
  }

  private func tools(_ request: MCPRequest) throws(MCPError) -> JSONObject {
    if request.params["cursor"] != nil {
      throw MCPError(.invalidParams, message: "There is one page only.")
    }
    let tools = JSON.array(ToolTable.all.map { $0.description })
    return request.revision == nil ? JSONObject(["tools": tools]) : cached(["tools": tools])
  }

  private func call(_ request: MCPRequest) async throws(MCPError) -> JSONObject {
    guard let name = request.params["name"]?.string else {
      throw MCPError(.invalidParams, message: "\"name\" of the tool is missing.")
    }
    guard let tool = ToolTable.tool(name) else {
      throw MCPError(
        .invalidParams, message: "Unknown tool: \(name). \(ToolTable.advice(on: name))")
    }
    let given = request.params["arguments"] ?? [:]
    let reply = await ToolReply(of: tool, given, caller: caller, project: project)
    return reply.result
  }

  // MARK: Results without a handshake

  /// The list of tools changes with the version only.
  private func cached(_ members: KeyValuePairs<String, JSON?>) -> JSONObject {
    var object = JSONObject(members)
    object.append("ttlMs", value: 3_600_000)
    object.append("cacheScope", value: "public")
    return object
  }

  private func complete(_ result: inout JSONObject) {
    result.append("resultType", value: "complete")
    result.append("_meta", value: [MCPRevision.serverKey: info])
  }
}
