import HTTPTypes
import HearthCrypto
import HearthErrors
import HearthMailAPI
import HearthMailbox
import HearthMime
import HearthOperations
import HearthTime
import HearthWire

/// The port of the send APIs: has a request answered as its provider would, and keeps the mail.
struct MailAPIGateway: Sendable {
  private let hosts: Hosts
  private let context: MailAPIContext

  init(_ context: ServerContext) {
    let server = context.server
    let intake = MailIntake(store: context.store, server: server)
    hosts = context.hosts
    let now: @Sendable () -> Timestamp = { server.clocks.now(of: server.defaultProject) }
    self.context = MailAPIContext(
      state: MailAPIState(), newId: { Randomness().uuid() }, time: { now().iso8601 },
      seconds: { now().milliseconds / 1_000 },
      deliver: { mail, id in
        let received = Self.received(
          mail, id: id, date: now().mailDate, boundary: Randomness().uuid())
        _ = try await intake.receive(received, user: mail.key)
      })
  }

  func respond(to call: IncomingCall) async -> OutgoingReply {
    // Keys of web pages would be seen by everybody: no provider answers them, either.
    guard call.headers[.origin] == nil, hosts.accepts(call.host) else {
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
  /// Bytes of a body that is taken at all: what the largest of the providers takes.
  static let longest = 40 << 20

  private func answer(_ call: IncomingCall) async -> OutgoingReply {
    var headers: [String: String] = [:]
    for field in call.headers { headers[field.name.canonicalName] = field.value }
    let answer = await MailAPIRoutes.answer(
      MailCall(
        method: call.method, path: call.path, query: call.query, headers: headers, body: call.body),
      context)
    var reply = OutgoingReply(status: answer.status, body: answer.body)
    for (name, value) in answer.headers {
      if let name = HTTPField.Name(name) { reply.headers[name] = value }
    }
    return reply
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
