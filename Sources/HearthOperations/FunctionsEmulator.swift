import HearthTime
package import HearthWire

/// The blocking functions of a functions emulator that runs by itself.
///
/// It tells what each function is for. What it registers at an emulator of Auth does not: there, every
/// function but `beforeCreate` is one for sign-ins. An actor, because requests ask at the same time.
package actor FunctionsEmulator {
  /// A function that is asked before something happens.
  package struct Function: Sendable, Equatable {
    package let url: String
    /// `forwardInboundCredentials`: the credentials that it wants to see.
    package let forwards: JSONObject

    package init(url: String, forwards: JSONObject) {
      self.url = url
      self.forwards = forwards
    }
  }

  /// Functions that are read at most. The answer comes from another program.
  private static let most = 10_000
  /// How long an answer counts: the emulator loads functions again when they change.
  private static let lifetime = Duration.milliseconds(500)
  /// How long nobody is asked after a failure. Sign-ins wait for the answer.
  private static let pause = Duration.seconds(5)
  private static let patience = Duration.seconds(2)

  private let address: String
  private let project: String
  private let caller: any FunctionCaller
  private let clock: any HearthClock
  private var functions: [String: Function] = [:]
  private var readUntil: Timestamp?

  init(address: String, project: String, caller: any FunctionCaller, clock: any HearthClock) {
    self.address = address
    self.project = project
    self.caller = caller
    self.clock = clock
  }

  /// Whether an address is one of this emulator's functions.
  package nonisolated func has(_ url: String) -> Bool {
    url.atLoopback.hasPrefix("http://\(address)/\(project)/".atLoopback)
  }

  /// The function for an event, such as `beforeCreate`. One that was configured counts where the
  /// emulator does not know it for another event.
  package func function(for event: String, configured: Function?) async -> Function? {
    await read()
    if let function = functions[event] { return function }
    guard let configured else { return nil }
    let url = configured.url.atLoopback
    return functions.values.contains { $0.url.atLoopback == url } ? nil : configured
  }

  private func read() async {
    if let readUntil, clock.now < readUntil { return }
    let request = FunctionRequest("GET", url: "http://\(address)/backends")
    let reply = try? await caller.send(request, within: Self.patience)
    guard let reply, reply.isSuccess, let json = try? JSON.parse(reply.body) else {
      functions = [:]
      readUntil = clock.now + Self.pause
      return
    }
    functions = found(in: json)
    readUntil = clock.now + Self.lifetime
  }

  private func found(in json: JSON) -> [String: Function] {
    let listed = (json["backends"]?.array ?? []).flatMap { $0["functionTriggers"]?.array ?? [] }
    var functions: [String: Function] = [:]
    for function in listed.prefix(Self.most) {
      guard let trigger = function["blockingTrigger"], let type = trigger["eventType"]?.string,
        let region = function["region"]?.string, let name = function["name"]?.string
      else { continue }
      // `providers/cloud.auth/eventTypes/user.beforeCreate`.
      functions[String(type[type.lastDot...])] = Function(
        url: "http://\(address)/\(project)/\(region)/\(name)",
        forwards: trigger["options"]?.object ?? JSONObject())
    }
    return functions
  }
}

extension String {
  /// The address of a function with one name for this machine.
  fileprivate var atLoopback: String {
    for name in ["localhost", "[::1]", "0.0.0.0"] where hasPrefix("http://\(name):") {
      return "http://127.0.0.1" + dropFirst("http://\(name)".count)
    }
    return self
  }

  /// The place after the last dot; the beginning where there is none.
  fileprivate var lastDot: Index { lastIndex(of: ".").map(index(after:)) ?? startIndex }
}
