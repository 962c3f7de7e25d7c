import HearthErrors
import HearthFirestore
import HearthFirestoreJSON
import HearthFirestoreProtos
import HearthMailbox
import HearthMime
import HearthOperations
import HearthSQLite
import HearthTestSupport
import HearthTime
import HearthTriggerEmail
import HearthWire
import Logging
import Synchronization
import Testing

private let shortMessage: JSON = ["subject": "x", "text": "y"]

/// A Firestore whose documents are sent as mails to a list.
private final class Desk: MailStore, CommitObserver {
  let clock = ManualClock()
  private let kept = Mutex<[(project: String, mail: ReceivedMail)]>([])
  private let seen = Mutex<[String]>([])
  private let answers: RecipientReplies?
  private let sender = Mutex<TriggerEmail?>(nil)
  private let database = Mutex<Firestore?>(nil)

  /// Without replies, all recipients are accepted.
  init(
    _ settings: TriggerEmailSettings = TriggerEmailSettings(), replies: RecipientReplies? = nil
  ) throws {
    answers = replies
    let clocks = ProjectClocks(clock)
    let store = try Store(migrations: Firestore.migrations + TriggerEmail.migrations)
    let email = TriggerEmail(
      [settings], store: store, clocks: clocks, mails: self, logger: Logger(label: "test"))
    sender.withLock { $0 = email }
    let firestore = try Firestore(
      store: store, clocks: clocks, rules: RulesTable(), observer: self)
    database.withLock { $0 = firestore }
  }

  var mails: [(project: String, mail: ReceivedMail)] { kept.withLock { $0 } }
  /// The states of `delivery` that commits have left, in their order.
  var states: [String] { seen.withLock { $0 } }

  func receive(_ mail: ReceivedMail, in project: String) async throws(APIError) -> Int64 {
    kept.withLock { kept in
      kept.append((project, mail))
      return Int64(kept.count)
    }
  }

  func replies(to recipients: [String], in project: String) async -> RecipientReplies {
    answers ?? RecipientReplies(accepted: recipients)
  }

  var isWatching: Bool { true }

  func join(_ commit: ObservedCommit, in transaction: Transaction) throws(APIError) {
    try sender.withLock { $0 }?.join(commit, in: transaction)
  }

  /// Sends what waits, as if something had been written.
  func send() async throws { await sender.withLock { $0 }?.sendWaiting(try firestore) }

  func committed(_ commit: ObservedCommit) {
    for change in commit.changes {
      let delivery = change.after?.message.fields.first { $0.key == "delivery" }?.value.mapValue
        .fields
      if let state = delivery?.first(where: { $0.key == "state" })?.value.stringValue {
        seen.withLock { $0.append(state) }
      }
    }
    sender.withLock { $0 }?.committed(commit)
  }

  private func name(_ path: String) -> String {
    "projects/demo/databases/(default)/documents/\(path)"
  }

  private var firestore: Firestore {
    get throws { try #require(database.withLock { $0 }) }
  }

  /// Writes a document, and sends what is to be sent.
  func write(_ path: String, fields: JSON, mask: [String]? = nil) async throws {
    var write = JSONObject([
      "update": [
        "name": .string(name(path)), "fields": typed(fields)["mapValue"]?["fields"] ?? [:],
      ]
    ])
    if let mask { write["updateMask"] = ["fieldPaths": .strings(mask)] }
    let request: JSON = [
      "database": "projects/demo/databases/(default)", "writes": [.object(write)],
    ]
    _ = try await firestore.commit(
      try FirestoreJSON.decode(request.bytes, as: CommitRequest.self), as: .owner)
    await sender.withLock { $0 }?.sendWaiting(try firestore)
  }

  private func typed(_ json: JSON) -> JSON {
    switch json {
    case .string(let text): ["stringValue": .string(text)]
    case .int(let value): ["integerValue": .string(String(value))]
    case .bool(let value): ["booleanValue": .bool(value)]
    case .double(let value): ["doubleValue": .double(value)]
    case .null: ["nullValue": .null]
    case .array(let list): ["arrayValue": ["values": .array(list.map(typed))]]
    case .object(let object) where object["timestampValue"] != nil: json
    case .object(let object):
      [
        "mapValue": [
          "fields": .object(JSONObject(members: object.members.map { ($0.key, typed($0.value)) }))
        ]
      ]
    }
  }

  /// The field `delivery` as Firestore's JSON has it.
  func delivery(_ path: String) async throws -> JSON? {
    var request = GetDocumentRequest()
    request.name = name(path)
    let document = try await firestore.getDocument(request, as: .owner)
    let json = try JSON.parse(try FirestoreJSON.encode(document))
    return json["fields"]?["delivery"]?["mapValue"]?["fields"]
  }

  func error(_ path: String) async throws -> String? {
    try await delivery(path)?["error"]?["stringValue"]?.string
  }
}

@Suite struct `A document that is a mail` {
  @Test func `is sent in three visible steps`() async throws {
    let desk = try Desk()
    try await desk.write(
      "mail/a",
      fields: [
        "to": ["Ada <ada@example.com>", "bob@example.com"], "cc": "eve@example.com",
        "bcc": ["zoe@example.com"], "replyTo": "help@example.com", "categories": ["welcome"],
        "headers": ["X-Order": "7"],
        "message": ["subject": "Hello", "text": "Your code is 123456", "html": "<p>Hi</p>"],
      ])
    #expect(desk.states == ["PENDING", "PROCESSING", "SUCCESS"])
    let (project, mail) = try #require(desk.mails.first)
    #expect(project == "demo" && desk.mails.count == 1 && mail.source == .trigger)
    #expect(
      mail.recipients == [
        "ada@example.com", "bob@example.com", "eve@example.com", "zoe@example.com",
      ]
    )
    #expect(mail.tags == ["welcome"])
    let message = MimeMessage(mail.raw)
    #expect(message.subject == "Hello" && message.html?.contains("<p>Hi</p>") == true)
    #expect(message.to.first?.name == "Ada" && message.bcc.isEmpty)
    #expect(message.header("X-Order") == "7")
    #expect(message.from.first?.address == "noreply@demo.firebaseapp.com")
    let delivery = try await desk.delivery("mail/a")
    let time: JSON = ["timestampValue": .string("2027-01-15T08:00:00Z")]
    #expect(delivery?["startTime"] == time && delivery?["endTime"] == time)
    #expect(delivery?["attempts"] == ["integerValue": "1"])
    #expect(delivery?["leaseExpireTime"] == ["nullValue": .null])
    let info = delivery?["info"]?["mapValue"]?["fields"]
    #expect(info?["response"] == ["stringValue": "250 2.0.0 Ok: queued as 1"])
    #expect(info?["accepted"]?["arrayValue"]?["values"]?.array?.count == 4)
    #expect(info?["messageId"]?["stringValue"]?.string == message.messageId.map { "<\($0)>" })
  }

  @Test func `is sent once, and again on request`() async throws {
    let desk = try Desk()
    try await desk.write("mail/a", fields: ["to": "a@b.c", "message": shortMessage])
    try await desk.write("mail/a", fields: ["note": 1], mask: ["note"])
    #expect(desk.mails.count == 1)
    try await desk.write(
      "mail/a", fields: ["delivery": ["state": "RETRY"]], mask: ["delivery.state"])
    #expect(desk.mails.count == 2)
    #expect(try await desk.delivery("mail/a")?["attempts"] == ["integerValue": "2"])
  }

  @Test func `is left alone elsewhere, or where it is not a mail`() async throws {
    let desk = try Desk()
    try await desk.write("other/a", fields: ["to": "a@b.c", "message": shortMessage])
    try await desk.write("mail/a", fields: ["to": "a@b.c"])
    try await desk.write("mail/a/mail/b", fields: ["to": "a@b.c", "message": shortMessage])
    #expect(desk.mails.isEmpty && desk.states.isEmpty)
  }

  @Test(
    arguments: [
      (
        ["message": shortMessage],
        "ValidationError: Invalid email configuration: Email must have at least one recipient"
      ),
      (
        ["to": [], "cc": "", "message": shortMessage],
        "ValidationError: Invalid email configuration: Email must have at least one recipient"
      ),
      (
        ["to": "a@b.c", "message": ["subject": "x"]],
        "ValidationError: Invalid message configuration: At least one of 'text' or 'html' must be "
          + "provided in message"
      ),
      (
        ["to": 7, "from": 1, "message": shortMessage],
        "ValidationError: Invalid email configuration: Field 'to' must be either a string or an "
          + "array of strings. Field 'from' must be a string"
      ),
      (
        ["to": "a@b.c", "template": ["data": [:]]],
        "ValidationError: Invalid template configuration: Field 'template.name' must be a string"
      ),
      (
        ["toUids": ["u"], "message": shortMessage],
        "Error: Must specify a users collection to send using uids."
      ),
      (
        ["to": "a@b.c", "message": ["subject": 5, "text": "y"]],
        "ValidationError: Invalid message configuration: Field 'subject' must be a string"
      ),
      (
        ["to": "a@b.c", "sendGrid": ["templateId": "d-1"]],
        "Error: The field sendGrid is not supported. Use message or template."
      ),
      (
        ["to": "a@b.c", "template": ["name": "welcome"]],
        "Error: Must specify a templates collection to send using a template."
      ),
    ] as [(JSON, String)])
  func `says what is wrong with it`(_ fields: JSON, _ message: String) async throws {
    let desk = try Desk()
    try await desk.write("mail/a", fields: fields)
    #expect(desk.states == ["PENDING", "PROCESSING", "ERROR"])
    #expect(try await desk.error("mail/a") == message)
    #expect(desk.mails.isEmpty)
  }

  /// The clock is at 08:00:00.
  @Test(arguments: [
    (lease: "2027-01-15T08:00:01Z" as String?, state: "PROCESSING", error: nil as String?),
    ("2027-01-15T08:00:00Z", "ERROR", "Message processing lease expired."),
    (nil, "PROCESSING", nil),
  ])
  func `gives up when its lease is over`(
    lease: String?, state: String, error: String?
  ) async throws {
    let desk = try Desk()
    var processing = JSONObject(["state": "PROCESSING"])
    if let lease { processing["leaseExpireTime"] = ["timestampValue": .string(lease)] }
    try await desk.write(
      "mail/a",
      fields: [
        "to": "a@b.c", "message": shortMessage, "delivery": .object(processing),
      ])
    #expect(try await desk.delivery("mail/a")?["state"]?["stringValue"]?.string == state)
    #expect(try await desk.error("mail/a") == error)
    #expect(desk.mails.isEmpty)
  }

  @Test func `has an error when its lease has ended, without another write`() async throws {
    let desk = try Desk()
    let processing: JSON = [
      "state": "PROCESSING", "leaseExpireTime": ["timestampValue": "2027-01-15T08:00:30Z"],
    ]
    try await desk.write(
      "mail/a",
      fields: ["to": "a@b.c", "message": shortMessage, "delivery": processing])
    desk.clock.advance(by: .seconds(29))
    try await desk.send()
    #expect(desk.states == ["PROCESSING"])
    desk.clock.advance(by: .seconds(1))
    try await desk.send()
    #expect(desk.states == ["PROCESSING", "ERROR"])
    #expect(try await desk.error("mail/a") == "Message processing lease expired.")
  }

  @Test func `has an error when its template never ends, and others go on`() async throws {
    var settings = TriggerEmailSettings()
    settings.templates = "templates"
    let desk = try Desk(settings)
    let depth = 30
    try await desk.write(
      "templates/endless",
      fields: [
        "subject": "x",
        "text": .string(
          String(repeating: "{{#each @root.a}}", count: depth)
            + String(repeating: "{{/each}}", count: depth)),
      ])
    let list = JSON.array((0..<10).map { .int($0) })
    try await desk.write(
      "mail/a", fields: ["to": "a@b.c", "template": ["name": "endless", "data": ["a": list]]])
    #expect(
      try await desk.error("mail/a") == "Error: The template takes more than 1000000 steps")
    try await desk.write("mail/b", fields: ["to": "a@b.c", "message": shortMessage])
    #expect(desk.states.last == "SUCCESS" && desk.mails.count == 1)
  }

  @Test func `goes to those that the mail server accepts`() async throws {
    var replies = RecipientReplies(accepted: ["ada@example.com"])
    replies.refused = [.init(address: "bob@example.com", code: 550, text: "5.1.1 Unknown")]
    let desk = try Desk(replies: replies)
    try await desk.write(
      "mail/a",
      fields: [
        "to": ["ada@example.com", "bob@example.com"], "message": shortMessage,
      ])
    #expect(desk.states.last == "SUCCESS")
    let info = try await desk.delivery("mail/a")?["info"]?["mapValue"]?["fields"]
    let accepted: JSON = [["stringValue": "ada@example.com"]]
    let rejected: JSON = [["stringValue": "bob@example.com"]]
    #expect(info?["accepted"]?["arrayValue"]?["values"] == accepted)
    #expect(info?["rejected"]?["arrayValue"]?["values"] == rejected)
    #expect(desk.mails.first?.mail.recipients == ["ada@example.com"])
  }

  @Test(arguments: [
    (
      end: nil as RecipientReplies.ConnectionEnd?, kept: 0,
      error: "Error: Can't send mail - all recipients were rejected: 452 4.2.2 Full"
    ),
    (.beforeKeeping, 0, "Error: Connection closed unexpectedly"),
    (.afterKeeping, 1, "Error: Connection closed unexpectedly"),
  ])
  func `says why the mail server did not take it`(
    end: RecipientReplies.ConnectionEnd?, kept: Int, error: String
  ) async throws {
    var replies = RecipientReplies(accepted: end == nil ? [] : ["a@b.c"])
    if end == nil { replies.refused = [.init(address: "a@b.c", code: 452, text: "4.2.2 Full")] }
    replies.connectionEnd = end
    let desk = try Desk(replies: replies)
    try await desk.write("mail/a", fields: ["to": "a@b.c", "message": shortMessage])
    #expect(desk.states == ["PENDING", "PROCESSING", "ERROR"])
    #expect(try await desk.error("mail/a") == error)
    #expect(desk.mails.count == kept)
  }

  @Test func `goes to users by their ids`() async throws {
    var settings = TriggerEmailSettings()
    settings.users = "users"
    settings.from = "Shop <shop@example.com>"
    settings.lifetime = .init(unit: .month, count: 1)
    let desk = try Desk(settings)
    try await desk.write("users/u1", fields: ["email": "u1@example.com"])
    try await desk.write("users/u2", fields: ["name": "nobody"])
    try await desk.write(
      "mail/a", fields: ["toUids": ["u1", "u2", "u3"], "message": shortMessage])
    #expect(desk.mails.first?.mail.recipients == ["u1@example.com"])
    #expect(desk.mails.first?.mail.envelopeFrom == "shop@example.com")
    try await desk.write("mail/b", fields: ["toUids": ["u2"], "message": shortMessage])
    #expect(
      try await desk.error("mail/b")
        == "Error: Failed to deliver email. Expected at least 1 recipient.")
    let end = try await desk.delivery("mail/a")?["expireAt"]?["timestampValue"]?.string
    #expect(end == "2027-02-15T08:00:00Z")
  }

  @Test func `has attachments, of which none is fetched`() async throws {
    let desk = try Desk()
    let files: JSON = [
      ["filename": "a.txt", "content": "one"],
      ["filename": "b.bin", "content": "dHdv", "encoding": "base64"],
      ["path": "data:text/csv;base64,YSxi", "filename": "c.csv"],
      ["href": "https://example.test/files/d.pdf?x=1"], [:],
    ]
    try await desk.write(
      "mail/a",
      fields: ["to": "a@b.c", "message": ["subject": "x", "text": "y", "attachments": files]])
    let found = MimeMessage(try #require(desk.mails.first).mail.raw).attachments
    #expect(found.map(\.fileName) == ["a.txt", "b.bin", "c.csv", "d.pdf"])
    #expect(
      found.map { String(decoding: $0.content, as: UTF8.self) }
        == ["one", "two", "a,b", "https://example.test/files/d.pdf?x=1"])
  }

  @Test func `has the words of a template`() async throws {
    var settings = TriggerEmailSettings()
    settings.templates = "templates"
    let desk = try Desk(settings)
    try await desk.write("templates/sign", fields: ["partial": true, "html": "<i>{{shop}}</i>"])
    try await desk.write(
      "templates/welcome",
      fields: [
        "subject": "Hello {{name}}", "text": "{{name}} & {{shop}}",
        "html": "<p>{{name}}</p>{{> sign}}",
        "attachments": [["filename": "{{name}}.txt", "content": "for {{name}}"]],
      ])
    let data: JSON = ["name": "A&B", "shop": "<Shop>"]
    try await desk.write(
      "mail/a", fields: ["to": "a@b.c", "template": ["name": "welcome", "data": data]])
    let message = MimeMessage(try #require(desk.mails.first).mail.raw)
    #expect(message.subject == "Hello A&B")
    #expect(message.text?.contains("A&B & <Shop>") == true)
    #expect(message.html?.contains("<p>A&amp;B</p><i>&lt;Shop&gt;</i>") == true)
    #expect(message.attachments.first?.fileName == "A&amp;B.txt")
    try await desk.write("mail/b", fields: ["to": "a@b.c", "template": ["name": "none"]])
    #expect(
      try await desk.error("mail/b") == "Error: Tried to render non-existent template 'none'")
  }
}
