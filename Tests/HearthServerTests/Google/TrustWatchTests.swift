import HearthTestSupport
import HearthTime
import Logging
import Testing

@testable import HearthServer

@Suite struct `The end of trust` {
  @Test func `is announced an hour before, and when it has come`() async {
    let clock = ManualClock()
    let log = CapturedLog()
    let watch = TrustWatch(
      end: clock.now + .seconds(24 * 3600), clock: clock, logger: Logger(label: "test") { _ in log }
    )
    async let running: Void = watch.run()
    await clock.advance(by: .seconds(23 * 3600), whenWaitingFor: [.seconds(23 * 3600)])
    await clock.advance(by: .seconds(3600), whenWaitingFor: [.seconds(3600)])
    await running
    #expect(log.lines.count == 2)
    #expect(log.lines.first?.contains("expire in an hour") == true)
    #expect(log.lines.last?.contains("have expired") == true)
  }

  @Test func `is not announced by a server that stops`() async {
    let clock = ManualClock()
    let log = CapturedLog()
    let watch = TrustWatch(
      end: clock.now + .seconds(24 * 3600), clock: clock, logger: Logger(label: "test") { _ in log }
    )
    let running = Task { await watch.run() }
    running.cancel()
    await running.value
    #expect(log.lines.isEmpty)
  }
}
