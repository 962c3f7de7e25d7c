import HearthSMTP
import NIOCore

/// How long a client of SMTP may do nothing that brings its session forward.
///
/// The standard's five minutes are for clients that are at work. One that has never said anything, and
/// one whose place others wait for, go sooner. Bytes without the end of a line do not count. It
/// belongs to the loop of its connection.
struct SmtpPatience {
  private let options: SmtpOptions
  private var progress = 0
  private var since: NIODeadline

  init(_ options: SmtpOptions, from now: NIODeadline) {
    self.options = options
    since = now
  }

  /// How often it is to be asked.
  var interval: TimeAmount {
    TimeAmount(min(options.idleTime, options.greetingTime, options.crowdedTime) / 4)
  }

  /// Whether it has ended. It does not run while the server is at work for the client.
  mutating func isOver(
    _ session: SmtpSession, isCrowded: Bool, at now: NIODeadline
  ) -> Bool {
    if session.progress != progress || !session.mayRead {
      progress = session.progress
      since = now
      return false
    }
    var patience = options.idleTime
    if !session.hasSpoken { patience = min(patience, options.greetingTime) }
    if isCrowded { patience = min(patience, options.crowdedTime) }
    return now - since >= TimeAmount(patience)
  }
}
