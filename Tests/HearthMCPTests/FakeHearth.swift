import HearthWire
import Synchronization

@testable import HearthMCP

/// Answers calls without a server, and notes them.
final class FakeHearth: HearthCaller {
  typealias Answer = @Sendable (HearthCall) async -> HearthReply

  private let answer: Answer
  private let noted = Mutex<[String]>([])

  init(_ answer: @escaping Answer = { _ in HearthReply(status: 200, body: Array("{}".utf8)) }) {
    self.answer = answer
  }

  convenience init(status: Int = 200, _ body: String) {
    self.init { _ in HearthReply(status: status, body: Array(body.utf8)) }
  }

  var calls: [String] { noted.withLock { $0 } }

  var server: MCPServer {
    MCPServer(caller: self, project: "demo-test", version: "1.0", address: "Auth is somewhere.")
  }

  func send(_ call: HearthCall) async throws(ToolFailure) -> HearthReply {
    noted.withLock { $0.append("\(call.method) \(call.path)") }
    return await answer(call)
  }

  /// The result or the error of a request.
  func ask(_ method: String, params: JSON = [:]) async -> JSON {
    await server.answer(
      MCPRequest(id: 1, method: method, params: params.object ?? JSONObject()))
  }

  /// The text of a tool's answer, with `!` before an error.
  func use(_ tool: String, arguments: JSON = [:]) async -> String {
    let answer = await ask("tools/call", params: ["name": .string(tool), "arguments": arguments])
    guard let result = answer["result"] else { return answer.text }
    let text = result["content"]?.array?.first?["text"]?.string ?? ""
    return result["isError"] == true ? "!\(text)" : text
  }
}
