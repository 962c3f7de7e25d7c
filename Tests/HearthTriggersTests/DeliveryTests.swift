import HearthCrypto
import HearthErrors
import HearthOperations
import HearthTime
import HearthTriggers
import HearthWire
import Testing

@Suite struct `The queue of deliveries` {
  @Test func `keeps the order of each line, and lines take turns`() {
    var queue = DeliveryQueue<Int>(mostBytes: 100, mostAtOnce: 2)
    for (item, line) in [(1, "a"), (2, "a"), (3, "b"), (4, "c"), (5, "b")] {
      let isAdded = queue.add(item, to: line, bytes: 1)
      #expect(isAdded)
    }
    var order: [Int] = []
    var underWay: [String] = []
    func begin() {
      while let next = queue.next() {
        order.append(next.item)
        underWay.append(next.line)
      }
    }
    begin()
    #expect(order == [1, 3])
    while !underWay.isEmpty {
      queue.end(underWay.removeFirst(), bytes: 1)
      begin()
    }
    #expect(order == [1, 3, 4, 2, 5])
    #expect(queue.isEmpty && queue.bytes == 0)
  }

  @Test func `gives no receiver the turns of the others`() {
    var queue = DeliveryQueue<Int>(mostBytes: 100, mostAtOnce: 4, mostOfReceiver: 2)
    for item in 1...5 {
      let isAdded = queue.add(item, to: "slow \(item)", of: "slow", bytes: 1)
      #expect(isAdded)
    }
    let isAdded = queue.add(6, to: "quick", of: "quick", bytes: 1)
    #expect(isAdded)
    func begun() -> [Int] {
      var items: [Int] = []
      while let next = queue.next() { items.append(next.item) }
      return items
    }
    // They take turns, until one of them has as much under way as it may.
    #expect(begun() == [1, 6, 2])
    queue.end("quick", bytes: 1)
    #expect(begun() == [])
    queue.end("slow 2", bytes: 1)
    #expect(begun() == [3])
    for item in [1, 3] { queue.end("slow \(item)", bytes: 1) }
    #expect(begun() == [4, 5])
    for item in [4, 5] { queue.end("slow \(item)", bytes: 1) }
    #expect(queue.isEmpty && queue.bytes == 0)
  }

  @Test func `has a bound in bytes, with what is under way`() {
    var queue = DeliveryQueue<Int>(mostBytes: 10, mostAtOnce: 9)
    var isAdded = [queue.add(1, to: "a", bytes: 6)]
    let first = queue.next()
    isAdded.append(queue.add(2, to: "a", bytes: 6))
    isAdded.append(queue.add(3, to: "a", bytes: 4))
    queue.end(first?.line ?? "", bytes: 6)
    #expect(queue.bytes == 4)
    isAdded.append(queue.add(4, to: "b", bytes: 6))
    #expect(isAdded == [true, false, true, true])
  }

  @Test func `empties in order however long it was`() {
    var queue = DeliveryQueue<Int>(mostBytes: 10_000, mostAtOnce: 1)
    for item in 0..<1000 { _ = queue.add(item, to: String(item % 7), bytes: 1) }
    var seen: [Int: Int] = [:]
    while let next = queue.next() {
      #expect(seen[next.item % 7] ?? -1 < next.item)
      seen[next.item % 7] = next.item
      queue.end(next.line, bytes: next.bytes)
    }
    #expect(queue.isEmpty)
  }

  @Test func `waits longer after each try`() {
    #expect((1...5).map(Backoff.delay) == [1, 4, 16, 60, 60].map { .seconds($0) })
  }
}

@Suite struct `A webhook` {
  private static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

  /// The test vector of Standard Webhooks.
  @Test func `is signed`() throws {
    let secret = try #require(WebhookSecret(Self.secret))
    #expect(
      secret.signature(
        id: "msg_p5jXN8AQM9LWM0D4loKWxJek", seconds: 1_614_265_330,
        body: Array(#"{"test": 2432232314}"#.utf8))
        == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    #expect(secret.text == Self.secret)
    #expect(WebhookSecret("whsec_dG9vIHNob3J0") == nil)
  }

  private static func read(_ text: String, _ hosts: [String] = []) throws -> [Webhook] {
    let body = try #require(try JSON.parse(text).object)
    return try Webhook.list(body, allowing: WebhookHosts(allowed: hosts), Randomness())
  }

  @Test(arguments: [
    ("http://127.0.0.1:9000/hook", true), ("http://localhost/hook", true),
    ("https://[::1]:9000/", true), ("http://127.1.2.3/", true), ("http://example.com/", false),
    ("http://localhost.example.com/", false), ("http://127.0.0.1.example.com/", false),
    ("http://127.0.0.1@example.com/", false), ("http://user@localhost/", false),
    ("ftp://localhost/", false), ("localhost:9000", false), ("http:///x", false),
    ("http://10.0.0.1/", false), ("http://allowed.example/", true),
    ("http://ALLOWED.example:8080/x", true), ("http://other.allowed.example/", false),
    ("http://[::ffff:10.0.0.1]/", false), ("http://0.0.0.0/", false),
    ("http://127.0.0.1\\@example.com/", false), ("http://example.com#@127.0.0.1/", false),
  ])
  func `stays on this machine, but for hosts that were named`(url: String, isAllowed: Bool) {
    let text = JSON.members(["webhooks": [.members(["url": .string(url)])]]).text
    let webhooks = try? Self.read(text, ["allowed.example"])
    #expect((webhooks != nil) == isAllowed)
  }

  @Test(arguments: [
    (#"{}"#, "/webhooks must be an array"),
    (#"{"webhooks":[{"url":"http://localhost/","event":"x"}]}"#, "unknown member 'event'"),
    (#"{"webhooks":[{"url":"http://localhost/","events":["x"]}]}"#, "unknown event 'x'"),
    (#"{"webhooks":[{"url":"http://localhost/","secret":"x"}]}"#, "/webhooks/0/secret"),
    (#"{"webhooks":[{"url":"http://localhost/","path":"a/x{b}"}]}"#, "pattern"),
    (#"{"webhooks":[{"url":"http://localhost/","path":"users/{id}/posts"}]}"#, "even number"),
    (#"{"webhooks":[{"url":"http://localhost/","events":[]}]}"#, "/events names no event"),
    (
      #"{"webhooks":[{"url":"http://localhost/"},{"url":"http://example.com/"}]}"#,
      "--allow-webhooks-to example.com"
    ),
  ])
  func `says what is wrong, and where`(text: String, words: String) {
    let error = #expect(throws: APIError.self) { try Self.read(text) }
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
  }

  @Test(arguments: [
    (["hearth.*"], CloudEvent.Name.messageCaptured, true),
    (["hearth.*"], CloudEvent.Name.userCreated, false), ([], CloudEvent.Name.userDeleted, true),
    (["google.firebase.auth.user.v1.created"], CloudEvent.Name.userCreated, true),
    (["google.firebase.auth.user.v1.created"], CloudEvent.Name.userDeleted, false),
  ])
  func `wants the events that it names`(events: [String], type: String, isWanted: Bool) throws {
    let body = JSON.members([
      "webhooks": [
        .members(["url": "http://localhost/", "events": events.isEmpty ? nil : .strings(events)])
      ]
    ])
    #expect(try Self.read(body.text).first?.wants(type) == isWanted)
  }

  @Test func `does not take the others of a list with it`() {
    let entries: [JSON] = [
      ["url": "http://a.example/"], ["url": "http://localhost/"],
      ["url": "http://localhost/", "events": []],
    ]
    let read = Webhook.each(of: entries, allowing: WebhookHosts(allowed: []), Randomness())
    #expect(read.compactMap { try? $0.get().url } == ["http://localhost/"])
    let faults = read.compactMap { entry -> String? in
      guard case .failure(let error) = entry else { return nil }
      return error.message
    }
    #expect(faults.count == 2)
    #expect(faults.first?.contains("/webhooks/0/url is on the host a.example") == true)
    #expect(faults.last?.contains("/webhooks/2/events names no event") == true)
  }

  @Test func `gets a secret of its own`() throws {
    let webhooks = try Self.read(
      #"{"webhooks":[{"url":"http://localhost/"},{"url":"http://localhost/"}]}"#)
    let secrets = webhooks.compactMap { $0.json["secret"]?.string }
    #expect(secrets.count == 2 && Set(secrets).count == 2)
    #expect(secrets.allSatisfy { WebhookSecret($0) != nil })
  }

  @Test func `has its signature in the headers of the request`() throws {
    let webhook = try #require(
      try Self.read(
        #"{"webhooks":[{"url":"http://localhost/x","secret":"\#(Self.secret)"}]}"#
      ).first)
    let event = CloudEvent(
      id: "one", type: CloudEvent.Name.messageCaptured, source: "//s", subject: "s", time: "t",
      project: "p", data: [:])
    let request = webhook.request(event, at: Timestamp(seconds: 1_614_265_330))
    let headers = Dictionary(request.headers.map { ($0.name, $0.value) }) { $1 }
    #expect(headers["webhook-id"] == "one" && headers["webhook-timestamp"] == "1614265330")
    #expect(
      headers["webhook-signature"]
        == WebhookSecret(Self.secret)?.signature(
          id: "one", seconds: 1_614_265_330, body: request.body))
  }
}
