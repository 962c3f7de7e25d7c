import HearthWire

/// What a tool has answered, in the few words that a model should have to read.
struct ToolReply: Sendable {
  private let text: String
  private let isError: Bool

  init(
    of tool: any Tool.Type, _ given: JSON, caller: any HearthCaller, project: String
  ) async {
    do throws(ToolFailure) {
      let arguments = try Arguments(given, for: tool)
      let project = HearthProject(id: arguments.string("project") ?? project, caller: caller)
      text = ShortAnswer(try await tool.run(arguments, in: project)).text
      isError = false
    } catch {
      text = error.text(of: tool)
      isError = true
    }
  }

  /// As `tools/call` answers it.
  var result: JSONObject {
    JSONObject([
      "content": [["type": "text", "text": .string(text)]], "isError": .bool(isError),
    ])
  }
}

extension String {
  /// At most so many bytes, and a mark where the rest was.
  func shortened(to bytes: Int) -> String {
    guard utf8.count > bytes else { return self }
    // Back to a whole character.
    var end = utf8.index(startIndex, offsetBy: bytes)
    while end > startIndex, end.samePosition(in: self) == nil { end = utf8.index(before: end) }
    return self[..<end] + "…"
  }
}
