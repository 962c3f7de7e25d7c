import HearthWire

extension LoopbackClient {
  /// What the server says of itself; nil if none answers.
  func overview() async -> JSON? {
    guard let reply = try? await get("/emulator/v1/overview"), reply.status == 200 else {
      return nil
    }
    return (try? JSON.parse(reply.body)).flatMap { $0["version"] == nil ? nil : $0 }
  }

  /// The same where another program may have the port, which accepts connections and says nothing.
  func overviewInTime() async -> JSON? {
    await withTaskGroup { group in
      group.addTask { await overview() }
      group.addTask {
        try? await Task.sleep(for: .seconds(10))
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
  }
}
