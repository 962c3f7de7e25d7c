package import Firestore

/// What a client may ask of a listener before it is cut off.
package struct Limits: Sendable {
  /// Bytes of a request body. Imports are large; nothing else is.
  package var body = 64 << 20
  /// Bytes of all header fields of a request.
  package var headers = 32 << 10
  /// Connections at once; more wait in the kernel's queue.
  package var connections = 1024
  /// Seconds from the first byte of a request to its last.
  package var requestTime: Int64 = 30
  /// Seconds that a connection may stay open without a request.
  package var idleTime: Int64 = 75
  /// What is kept of Firestore's past.
  package var history = HistoryBounds()
  /// Bytes of the log of requests, over all projects.
  package var requestLog = 32 << 20

  package init() {}
}
