/// The body of an answer that is written as it arises. It ends by itself; where the client goes
/// away before, the writer says so with `hangUp()`, by being cancelled or by dropping it.
package struct ChannelChunks: AsyncSequence, Sendable {
  package typealias Element = [UInt8]
  package typealias Failure = Never

  package let chunks: AsyncStream<[UInt8]>
  private let onHangUp: @Sendable () -> Void

  init(_ chunks: AsyncStream<[UInt8]>, onHangUp: @escaping @Sendable () -> Void) {
    self.chunks = chunks
    self.onHangUp = onHangUp
  }

  /// Ends the sequence. Harmless when it has ended already.
  package func hangUp() { onHangUp() }

  package func makeAsyncIterator() -> AsyncStream<[UInt8]>.Iterator { chunks.makeAsyncIterator() }
}
