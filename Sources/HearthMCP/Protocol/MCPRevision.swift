/// The revisions of the Model Context Protocol that are spoken here.
package enum MCPRevision {
  /// With the handshake of `initialize`, oldest first.
  static let withHandshake = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
  /// Without a handshake: each request says its revision.
  static let withoutHandshake = ["2026-07-28"]

  static let all = withHandshake + withoutHandshake

  /// What `initialize` answers: the revision that the client asks for, or the newest one.
  static func negotiated(_ wanted: String?) -> String {
    wanted.flatMap { withHandshake.contains($0) ? $0 : nil }
      ?? withHandshake[withHandshake.count - 1]
  }

  /// The members of `_meta` that carry a request's revision and the name of the server.
  static let versionKey = "io.modelcontextprotocol/protocolVersion"
  static let serverKey = "io.modelcontextprotocol/serverInfo"
}
