/// Listening sockets that come while the server runs, from the network of a command.
struct HandedSockets: Sendable {
  private let sockets: AsyncStream<(Int32, PortRole)>
  private let continuation: AsyncStream<(Int32, PortRole)>.Continuation

  init() { (sockets, continuation) = AsyncStream.makeStream() }

  func add(_ socket: Int32, _ role: PortRole) { continuation.yield((socket, role)) }

  /// Serves each until the task is cancelled.
  func serve(_ listen: @escaping @Sendable (Int32, PortRole) async -> Void) async {
    await withDiscardingTaskGroup { group in
      for await (socket, role) in sockets {
        group.addTask { await listen(socket, role) }
      }
    }
  }
}
