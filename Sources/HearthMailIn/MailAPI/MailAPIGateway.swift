package import HTTPTypes
import HearthCrypto
package import HearthErrors
import HearthMailAPI
import HearthMailbox
import HearthMime
import HearthObservation
import HearthOperations
import HearthSharing
import HearthTime
package import HearthTransport
import HearthWire

/// The port of the send APIs: has a request answered as its provider would, and keeps the mail.
package struct MailAPIGateway: Sendable {
  private let hosts: Hosts
  private let intake: MailIntake
  private let state: MailAPIState
  private let texts: SMSAPIGateway

  /// - Parameters:
  ///   - intake: Keeps what comes in.
  ///   - hosts: The names that the port answers to.
  ///   - texts: Answers for the gateways of text messages.
  package init(_ intake: MailIntake, hosts: Hosts, texts: SMSAPIGateway) {
    self.texts = texts
    self.hosts = hosts
    self.intake = intake
    state = MailAPIState(keepsEmails: intake.sharing == nil)
  }

  package func respond(to call: IncomingCall) async -> OutgoingReply {
    // Keys in web pages are readable for everybody, so providers refuse web pages too.
    let isOurs = call.servedPort.kind == .google || hosts.accepts(call.host)
    guard call.headers[.origin] == nil, isOurs else {
      var reply = ReplyWriter.json(["message": "The send APIs do not answer web pages."])
      reply.status = 403
      return reply
    }
    guard call.body.count > Self.short else { return await answer(call) }
    // Attachments take their time to decode and to encode: not on a thread that serves connections.
    return await withTaskExecutorPreference(globalConcurrentExecutor) { await answer(call) }
  }

  /// Bytes of a body that is answered on the thread that read it.
  private static let short = 64 << 10
  /// Bytes of the largest body that is taken, which is that of the most generous provider.
  package static let longest = 40 << 20

  /// What is said of a request that was not read to its end, as its provider would say it; nil for a
  /// request to something else.
  package static func refusal(
    _ error: APIError, of head: HTTPRequest, at port: ServedPort
  ) -> OutgoingReply? {
    let host = (head.authority ?? "").prefix { $0 != ":" }.lowercased()
    let isOurs = port.kind == .mailAPI || port.kind == .google && SendAPIHosts.all.contains(host)
    let path = (head.path ?? "/").prefix { $0 != "?" }
    guard isOurs else { return nil }
    let (status, message) = (error.httpStatus, error.message)
    return MailAPIRoutes.refusal(of: path, status: status, message).map(reply)
      ?? SMSAPIGateway.refusal(of: path, status: status, message: message)
  }

  private static func reply(_ answer: MailReply) -> OutgoingReply {
    var reply = OutgoingReply(status: answer.status, body: answer.body)
    for (name, value) in answer.headers {
      if let name = HTTPField.Name(name) { reply.headers[name] = value }
    }
    return reply
  }

  private func answer(_ call: IncomingCall) async -> OutgoingReply {
    var headers: [String: String] = [:]
    for field in call.headers { headers[field.name.canonicalName] = field.value }
    if let reply = await texts.answer(call, headers: headers) { return reply }
    if MailAPIRoutes.refusal(of: call.path, status: 404, "") == nil,
      let reply = SMSAPIGateway.missing(call)
    {
      return reply
    }
    let request = MailCall(
      method: call.method, path: call.path, query: call.query, headers: headers, body: call.body)
    let faults = GatewayFaults(
      intake.faults,
      project: intake.faultedProject(user: request.key, header: request.projectHeader))
    let owner = intake.sharing.map { projects in
      [request.key, request.projectHeader].compactMap { $0 }.first { projects.find($0) != nil }
        ?? intake.server.defaultProject
    }
    var reply = Self.reply(
      await MailAPIRoutes.answer(request, context: context(faults, owner: owner)))
    reply.fault = faults.delivery
    return reply
  }

  private func context(_ faults: GatewayFaults, owner: String?) -> MailAPIContext {
    let intake = intake
    let server = intake.server
    let now: @Sendable () -> Timestamp = { server.clocks.now(of: server.defaultProject) }
    return MailAPIContext(
      state: state, owner: owner, newId: { Randomness().uuid() }, time: { now().iso8601 },
      seconds: { now().milliseconds / 1_000 },
      admit: { provider in
        try await faults.admit(to: .api(provider)) {
          MailRefusal(provider, status: $0, message: $1)
        }
      },
      deliver: { mail, id in
        let delivery = try await faults.delivery(to: mail.recipients)
        var received = Self.received(
          mail, id: id, date: now().mailDate, boundary: Randomness().uuid())
        received.delivery = delivery ?? received.delivery
        _ = try await intake.receive(received, user: mail.key)
      })
  }

  private static func received(
    _ mail: ProviderMail, id: String, date: String, boundary: String
  ) -> ReceivedMail {
    let raw =
      switch mail.content {
      case .draft(let draft): draft.encoded(boundary: boundary, date: date, messageId: id)
      case .raw(let bytes): bytes
      }
    let source = ReceivedMail.Source(rawValue: mail.provider.rawValue) ?? .smtp
    var received = ReceivedMail(
      source: source, envelopeFrom: mail.sender, recipients: mail.recipients, raw: raw,
      tags: mail.tags, metadata: mail.metadata)
    received.projectHeader = mail.project
    received.delivery = mail.fate.map { fate in
      switch fate {
      case .bounced: MailDelivery(.bounced, code: 550, text: "a test address of the provider")
      case .complained: MailDelivery(.complained, text: "a test address of the provider")
      case .dropped: MailDelivery(.dropped, text: "a test address of the provider")
      }
    }
    return received
  }
}
