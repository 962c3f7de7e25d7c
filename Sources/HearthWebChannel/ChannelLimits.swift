/// How much a server holds for its clients.
package struct ChannelLimits: Sendable {
  package var sessions = 1000

  /// Unacknowledged arrays of one session. At this point, or at `bytes`, sending waits for the
  /// client. They are as many bytes as one answer may have: a client that only listens acknowledges
  /// nothing before the end of an answer.
  package var arrays = 1000
  package var bytes = 1 << 20

  /// Messages of a client that its handler has not read yet: so many, and so many bytes.
  package var messages = 1000
  package var messageBytes = 16 << 20

  /// What one answer carries before it ends. The client asks again at once and thereby acknowledges;
  /// without that a listener that only listens would never do so. It also lets the browser forget
  /// the text it has read, all of which it keeps until the end of an answer.
  package var arraysPerAnswer = 256
  package var bytesPerAnswer = 1 << 20

  package init() {}
}
