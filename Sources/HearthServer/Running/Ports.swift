import HearthMailIn
import HearthSettings
import HearthTransport
import Logging

/// Collects the ports as they are bound, and lets others wait for all of them.
///
/// An actor, because several listeners report at once. Every port is reported exactly once, with 0
/// where it could not be opened, or ``fail()`` is called. Waiters end in both cases.
actor Ports {
  private typealias Waiter = CheckedContinuation<[PortRole: Int]?, Never>

  /// Ports of this machine that have to be reported.
  private let expected: Int
  /// Ports of the local network that have to be reported.
  private let expectedInNetwork: Int
  private var ports: [PortRole: Int] = [:]
  private var countInNetwork = 0
  private var hasFailed = false
  /// What is said of ports once all are open. Where the start fails, it would mislead.
  private var notes: [(Logger.Level, Logger.Message)] = []
  private let logger: Logger
  private var waiters: [Waiter] = []
  private var waitersForNumbers: [Waiter] = []

  init(_ plans: [PortPlan], smtpPlans: [SmtpPlan], network: LocalNetwork?, logger: Logger) {
    self.logger = logger
    expected = plans.count + smtpPlans.count
    expectedInNetwork = network == nil ? 0 : plans.count(where: \.isForNetwork)
  }

  /// The note is logged at the level of information, or as a warning where nothing is open.
  func bound(_ port: Int, to role: PortRole, note: Logger.Message? = nil) {
    ports[role] = port
    if let note { notes.append((port > 0 ? .info : .warning, note)) }
    settle()
  }

  /// The port of a role is open at the address on the local network too, or is not wanted there.
  func boundInNetwork() {
    countInNetwork += 1
    settle()
  }

  /// The server does not start. Waiters get nil.
  func fail() {
    hasFailed = true
    settle()
  }

  /// All of them, once every one is open; nil when one could not be opened.
  func all() async -> [PortRole: Int]? {
    await withCheckedContinuation { continuation in
      waiters.append(continuation)
      settle()
    }
  }

  /// The same, before they are open on the local network.
  func numbers() async -> [PortRole: Int]? {
    await withCheckedContinuation { continuation in
      waitersForNumbers.append(continuation)
      settle()
    }
  }

  /// Lets go those who wait for what is complete. Called after each change, and again by late
  /// callers.
  private func settle() {
    guard hasFailed || ports.count == expected else { return }
    if !hasFailed {
      for (level, note) in notes { logger.log(level: level, note) }
      notes = []
    }
    resume(&waitersForNumbers)
    if hasFailed || countInNetwork == expectedInNetwork { resume(&waiters) }
  }

  private func resume(_ waiters: inout [Waiter]) {
    for waiter in waiters { waiter.resume(returning: hasFailed ? nil : ports) }
    waiters = []
  }
}
