import HTTPTypes
import HearthCrypto
import HearthErrors
import HearthMailbox
import HearthObservation
package import HearthOperations
import HearthSMSAPI
import HearthTime
package import HearthTransport
import HearthWire

/// The gateways of text messages at the port of the send APIs: has a request answered as its gateway
/// would, and keeps the text.
package struct SMSAPIGateway: Sendable {
  private let intake: MailIntake
  private let hosts: OutgoingHosts
  private let caller: any FunctionCaller
  private let state: SMSState

  /// - Parameters:
  ///   - intake: Keeps what comes in.
  ///   - hosts: Where status call-backs may go.
  ///   - caller: Makes the call-backs.
  package init(_ intake: MailIntake, hosts: OutgoingHosts, caller: any FunctionCaller) {
    self.intake = intake
    self.hosts = hosts
    self.caller = caller
    state = SMSState(listsSubscriptions: intake.sharing == nil)
  }

  /// Nil for a request that no gateway has.
  package func answer(_ call: IncomingCall, headers: [String: String]) async -> OutgoingReply? {
    let request = SMSCall(
      method: call.method, path: call.path, query: call.query, headers: headers, body: call.body)
    let faults = GatewayFaults(
      intake.faults, project: intake.faultedProject(users: request.projectNames))
    guard let answer = await SMSRoutes.answer(request, context: context(request, faults: faults))
    else { return nil }
    var reply = Self.reply(answer)
    reply.fault = faults.delivery
    return reply
  }

  private static func reply(_ answer: SMSReply) -> OutgoingReply {
    var reply = OutgoingReply(status: answer.status, body: answer.body)
    reply.headers[.contentType] = answer.contentType
    return reply
  }

  /// The answer to a call that a gateway has and Hearth has not; nil for the path of none.
  static func missing(_ call: IncomingCall) -> OutgoingReply? {
    let request = SMSCall(
      method: call.method, path: call.path, query: "", headers: [:], body: [])
    return SMSRoutes.missing(request).map(reply)
  }

  /// A refusal before the request was looked at.
  static func refusal(of path: Substring, status: Int, message: String) -> OutgoingReply? {
    SMSRoutes.refusal(of: path, status: status, message: message).map(reply)
  }

  private func context(_ request: SMSCall, faults: GatewayFaults) -> SMSContext {
    let server = intake.server
    let names = request.projectNames
    let now: @Sendable (String?) -> Timestamp = {
      server.clocks.now(of: $0 ?? server.defaultProject)
    }
    return SMSContext(
      state: state, named: { intake.namedProject(names) }, defaultProject: server.defaultProject,
      hex: { Randomness().text($0, of: Array("0123456789abcdef".utf8)) },
      digits: { Randomness().digits($0) }, now: now, machineTime: { server.clock.now },
      date: { now(nil).mailDate },
      admit: { provider in
        try await faults.admit(to: .sms(provider)) {
          SMSRefusal(provider, status: $0, message: $1)
        }
      },
      project: { try intake.project(of: names, number: $0) },
      deliver: { text in try await deliver(text, names: names) },
      settle: { kept in try intake.settle(kept.message, in: kept.project) })
  }

  private func deliver(_ text: ProviderText, names: [String]) async throws -> SMSContext.Kept {
    let (project, id) = try intake.receive(for: names, to: text.recipient) { now in
      var message = AppMessage(
        textTo: text.recipient, from: text.sender, by: text.provider.rawValue, id: text.id,
        text: text.text, code: text.code, channel: text.channel,
        expiresAt: text.lifetime.map { now + .seconds($0) }, raw: Array(text.text.utf8))
      message.metadata = text.metadata
      message.more["statusCallback"] = text.callback.map(shown)
      return message
    }
    if let callback = text.callback { tell(callback) }
    return SMSContext.Kept(project: project, message: id)
  }

  /// Where the app gets what became of the text, or why it is not.
  private func shown(_ callback: StatusCallback) -> JSON {
    let statuses = JSON.strings(callback.requests.map(\.status))
    do throws(OutgoingHosts.Refusal) {
      try hosts.check(callback.url)
      return .members(["url": .string(callback.url), "statuses": statuses])
    } catch {
      return .members(["url": .string(callback.url), "refused": .string(error.description)])
    }
  }

  /// One after the other, after the answer. What the app answers counts for nothing, as with gateways.
  private func tell(_ callback: StatusCallback) {
    Task { [caller] in
      for request in callback.requests {
        _ = try? await caller.send(
          FunctionRequest(
            request.method,
            url: request.address(of: callback.url), headers: request.headers, body: request.body),
          within: .seconds(10))
      }
    }
  }
}
