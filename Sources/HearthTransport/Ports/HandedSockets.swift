/// Listening sockets that come while the server runs, from the network of a command.
///
/// They may be added before anybody serves, and wait until then. Their number is bounded by who
/// opens them. A socket belongs to who serves it; one that nobody has taken at the end is closed
/// with the process.
package struct HandedSockets: Sendable {
  private let sockets: AsyncStream<(Int32, PortRole)>
  private let continuation: AsyncStream<(Int32, PortRole)>.Continuation

  package init() { (sockets, continuation) = AsyncStream.makeStream() }

  /// Hands over a listening socket, which is not to be used by the caller any more. May be called
  /// on any thread.
  package func add(_ socket: Int32, role: PortRole) { continuation.yield((socket, role)) }

  /// Serves each until the task is cancelled. Must be called once.
  package func serve(_ listen: @escaping @Sendable (Int32, PortRole) async -> Void) async {
    await withDiscardingTaskGroup { group in
      for await (socket, role) in sockets {
        group.addTask { await listen(socket, role) }
      }
    }
  }
}
