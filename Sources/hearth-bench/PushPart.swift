/// How long push messages of a back end take, sent over sixteen connections.
enum PushPart {
  private static let messages = 5_000.0

  static func measure(_ binary: String, seconds: Int) async throws -> Row {
    let server = try await Server(binary)
    defer { server.stop() }
    let script = try Wrk.script(
      Wrk.posting(
        """
        {"message":{"token":"token-PICK","notification":{"title":"Order PICK",\
        "body":"Your code is 482913."},"data":{"order":"PICK"}}}
        """, pick: "math.random(1, 100000)"))
    let result = try Wrk.run(
      script, url: server.messages, connections: 16, threads: 2, seconds: seconds)
    return Row(
      "\(Int(messages)) push messages", unit: "s", value: messages / result.perSecond, bar: 5,
      less: true, p99: result.p99)
  }
}
