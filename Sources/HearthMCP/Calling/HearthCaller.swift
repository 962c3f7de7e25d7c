package import HearthWire

/// What carries the requests of tools to a server: a connection, or the server itself.
package protocol HearthCaller: Sendable {
  /// Throws where no server answers.
  func send(_ call: HearthCall) async throws(ToolFailure) -> HearthReply
}

/// A request to Hearth.
package struct HearthCall: Sendable {
  package let method: String
  /// With the query.
  package let path: String
  package var body: JSON?
  /// The token of the header Authorization.
  package var bearer: String?

  /// The word by which emulators know an administrator.
  package static let owner = "owner"

  init(_ method: String, path: String, body: JSON? = nil, bearer: String? = nil) {
    self.method = method
    self.path = path
    self.body = body
    self.bearer = bearer
  }
}

package struct HearthReply: Sendable {
  package let status: Int
  package let body: [UInt8]

  package init(status: Int, body: [UInt8]) {
    self.status = status
    self.body = body
  }

  var json: JSON { (try? JSON.parse(body)) ?? .null }

  /// Why the server refused.
  var refusal: String {
    let json = json
    // Streams of Firestore answer with an array.
    let error = (json.array?.first ?? json)["error"] ?? json["authEmulator"]?["error"] ?? .null
    return error.string ?? error["message"]?.string ?? "status \(status)"
  }
}

/// Why a tool could not do its work, and what to do next.
package struct ToolFailure: Error, Sendable, Equatable {
  package let reason: String
  package let next: String?

  package init(_ reason: String, next: String? = nil) {
    self.reason = reason
    self.next = next
  }

  /// What a model reads. Where nothing better is known, the arguments have to be corrected.
  func text(of tool: any Tool.Type) -> String {
    let advice =
      next ?? "Correct the arguments and call \(tool.name) again, for example with "
      + tool.example.text
    return "\(reason.shortened(to: Self.longest))\nNext: \(advice.shortened(to: Self.longest))"
  }

  /// Less than an answer may have, so that the advice is never cut off.
  private static let longest = 7_000
}
