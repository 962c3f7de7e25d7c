import HearthTLS
import HearthTime
import Logging

/// Says when the end of an authority is near that clients trust. A new one would be of no use to them:
/// they would have to be given it.
struct TrustWatch {
  /// When the authority's certificate ends, which is when the ones that it has issued end as well.
  let end: Timestamp
  let clock: any HearthClock
  let logger: Logger

  /// Waits for the two times, an hour before the end and the end. A time that has passed is reported at
  /// once.
  func run() async {
    let warnings = [
      (
        end + .seconds(-3600),
        "The certificates that clients trust expire in an hour, at \(end.iso8601). Restart the "
          + "server before then; --trust-days makes them valid for longer."
      ),
      (
        end,
        "The certificates that clients trust have expired: connections over TLS fail. Restart the "
          + "server, and give clients the new ones."
      ),
    ]
    for (time, words) in warnings {
      await clock.wait(until: time)
      guard !Task.isCancelled else { return }
      logger.warning("\(words)")
    }
  }
}

extension Hearth {
  /// By the machine's clock, as clients judge certificates by it.
  func watchTrust() async {
    guard let end = fronts.trust.end else { return }
    await TrustWatch(end: end, clock: SystemClock(), logger: logger).run()
  }
}
