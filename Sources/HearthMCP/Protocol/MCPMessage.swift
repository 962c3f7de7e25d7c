package import HearthWire

/// A message of JSON-RPC 2.0 that a client sends.
package enum MCPMessage: Sendable, Equatable {
  case request(MCPRequest)
  case notification(method: String, params: JSONObject)
  /// An answer to a request of the server. The server makes none, so it is ignored.
  case response
  case invalid(MCPError, id: JSON)

  package init(_ bytes: some Collection<UInt8>) {
    do throws(JSON.ParseError) {
      self.init(try JSON.parse(bytes, within: JSON.Bounds(values: 200_000, members: 20_000)))
    } catch {
      self = .invalid(
        MCPError(.parseError, message: "The message is not JSON: \(error)"), id: .null)
    }
  }

  private init(_ json: JSON) {
    guard let object = json.object else {
      self = Self.refused("A message is a JSON object; batches are not supported.")
      return
    }
    let id = object["id"]
    guard object["jsonrpc"]?.string == "2.0" else {
      self = Self.refused("\"jsonrpc\" must be \"2.0\".", id: id)
      return
    }
    guard let method = object["method"]?.string else {
      self =
        object["result"] != nil || object["error"] != nil
        ? .response : Self.refused("\"method\" is missing.", id: id)
      return
    }
    let params = object["params"]?.object ?? JSONObject()
    guard object["params"].map({ $0.object != nil }) ?? true else {
      self = Self.refused("\"params\" must be an object.", id: id)
      return
    }
    guard let id else {
      self = .notification(method: method, params: params)
      return
    }
    guard Self.isID(id) else {
      self = Self.refused("\"id\" must be a string or a whole number.")
      return
    }
    self = .request(MCPRequest(id: id, method: method, params: params))
  }

  private static func isID(_ id: JSON) -> Bool {
    switch id {
    case .string(let text): text.utf8.count <= 1000
    case .int: true
    case .null, .bool, .double, .array, .object: false
    }
  }

  private static func refused(_ words: String, id: JSON? = nil) -> MCPMessage {
    .invalid(
      MCPError(.invalidRequest, message: words), id: id.flatMap { isID($0) ? $0 : nil } ?? .null)
  }
}

/// A request, which gets one answer.
package struct MCPRequest: Sendable, Equatable {
  package let id: JSON
  package let method: String
  package let params: JSONObject

  /// The revision that the request says that it speaks; nil after a handshake.
  var revision: JSON? { params["_meta"]?[MCPRevision.versionKey] }
}

/// Why a request has no result.
package struct MCPError: Error, Sendable, Equatable {
  package enum Code: Int64, Sendable {
    case parseError = -32700
    case invalidRequest = -32600
    case methodNotFound = -32601
    case invalidParams = -32602
    case busy = -32000
    case headerMismatch = -32020
    case unsupportedRevision = -32022
  }

  package let code: Code
  package let message: String
  package let data: JSON?

  package init(_ code: Code, message: String, data: JSON? = nil) {
    self.code = code
    self.message = message
    self.data = data
  }

  static func unsupportedRevision(_ requested: String) -> MCPError {
    MCPError(
      .unsupportedRevision, message: "Unsupported protocol version",
      data: [
        "supported": .strings(MCPRevision.withoutHandshake), "requested": .string(requested),
      ])
  }

  package func reply(to id: JSON) -> JSON {
    let error = JSON.members([
      "code": .int(code.rawValue), "message": .string(message), "data": data,
    ])
    return .members(["jsonrpc": "2.0", "id": id, "error": error])
  }
}
