import HearthOperations
import HearthTriggers
import HearthWire
import Logging

/// The functions of a functions emulator that runs by itself and registers nothing.
///
/// It is asked for them when something has happened, and not in between, so an idle server makes no
/// requests (record 0049). An actor, because the task that sorts events and deliveries that look
/// for a new key use it at the same time. Requests overlap where one waits for an answer; the last
/// answer counts.
package actor FunctionDirectory {
  /// The functions may be others after a while: their emulator loads them again when they change.
  private static let lifetime = Duration.milliseconds(500)
  /// How long its answer is waited for. Events wait as long, and are lost without it, so a busy
  /// machine gets time. An emulator that did not answer the last time delays them less.
  private var patience: Duration { isMissing ? .seconds(2) : .seconds(30) }

  private let address: String
  private let project: String
  private let caller: any FunctionCaller
  private let logger: Logger
  private var triggers: [DocumentTrigger] = []
  /// By the functions' ids, where they are not the first ones.
  private var keys: [String: String] = [:]
  /// When the functions were read last; nil where they have to be read again.
  private var readAt: ContinuousClock.Instant?
  /// Whether the log has a line that nobody answers. After an answer it gets another one.
  private var isMissing = false

  init(address: String, project: String, caller: any FunctionCaller, logger: Logger) {
    self.address = address
    self.project = project
    self.caller = caller
    self.logger = logger
  }

  /// The functions, at most ``lifetime`` old; none where nobody answers.
  func current() async -> [DocumentTrigger] {
    if let readAt, ContinuousClock.now - readAt < Self.lifetime { return triggers }
    let request = FunctionRequest("GET", url: "http://\(address)/backends")
    let reply = try? await caller.send(request, within: patience)
    // After a failure, too: a functions emulator that is not there is not asked for each event.
    readAt = .now
    if let reply, reply.isSuccess, let json = try? JSON.parse(reply.body) {
      isMissing = false
      triggers = FunctionBackends.triggers(in: json, project: project, keys: keys)
    } else {
      if !isMissing {
        logger.warning(
          "No functions emulator answers at \(address): changes of documents run no functions.")
      }
      isMissing = true
      triggers = []
    }
    return triggers
  }

  /// The key that runs the function of a trigger now; nil where it is still the same.
  ///
  /// - Returns: nil also where the emulator does not answer.
  func newKey(for trigger: DocumentTrigger) async -> String? {
    // The emulator lists its keys where it is asked for one that no function has.
    let url = FunctionPayloads.url(address, project: project, key: "hearth")
    guard
      let reply = try? await caller.send(
        FunctionRequest(url: url, json: [:]), within: patience)
    else { return nil }
    keys = FunctionBackends.keys(in: String(decoding: reply.body, as: UTF8.self))
    // The triggers that are known have the old keys.
    readAt = nil
    let key = keys[FunctionBackends.id(ofKey: trigger.key)]
    return key == trigger.key ? nil : key
  }
}
