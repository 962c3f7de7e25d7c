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
  private var waiters: [Waiter] = []
  private var waitersForNumbers: [Waiter] = []

  init(_ plans: [PortPlan], _ smtpPlans: [SmtpPlan], _ network: LocalNetwork?) {
    expected = plans.count + smtpPlans.count
    expectedInNetwork = network == nil ? 0 : plans.count(where: \.isForNetwork)
  }

  func bound(_ port: Int, to role: PortRole) {
    ports[role] = port
    settle()
  }

  /// The port of a role is open at the address in the local network too, or is not wanted there.
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

  /// The same, before they are open in the local network.
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
    resume(&waitersForNumbers)
    if hasFailed || countInNetwork == expectedInNetwork { resume(&waiters) }
  }

  private func resume(_ waiters: inout [Waiter]) {
    for waiter in waiters { waiter.resume(returning: hasFailed ? nil : ports) }
    waiters = []
  }
}
