import HearthCrypto
import HearthErrors
import HearthOperations
import HearthTime
import HearthTriggers
import HearthWire
import Testing

@Suite struct `The queue of deliveries` {
  private static func receiver(_ name: String, of project: String = "demo") -> DeliveryReceiver {
    DeliveryReceiver(project: project, name: name)
  }

  private static let only = receiver("only")

  /// All that can begin now.
  private static func begin(
    _ queue: inout DeliveryQueue<Int>
  ) -> [DeliveryQueue<Int>.Begun] {
    var begun: [DeliveryQueue<Int>.Begun] = []
    while let next = queue.next() { begun.append(next) }
    return begun
  }

  @Test func `keeps the order of each line, and lines take turns`() {
    var queue = DeliveryQueue<Int>(mostBytes: 100, mostAtOnce: 2)
    for (item, line) in [(1, "a"), (2, "a"), (3, "b"), (4, "c"), (5, "b")] {
      let full = queue.add(item, to: line, of: Self.only, bytes: 1)
      #expect(full.isEmpty)
    }
    var underWay = Self.begin(&queue)
    var order = underWay.map(\.item)
    #expect(order == [1, 3])
    while !underWay.isEmpty {
      _ = queue.end(underWay.removeFirst())
      let begun = Self.begin(&queue)
      order += begun.map(\.item)
      underWay += begun
    }
    #expect(order == [1, 3, 4, 2, 5])
    #expect(queue.isEmpty && queue.bytes == 0)
  }

  @Test func `gives no receiver the turns of the others`() {
    var queue = DeliveryQueue<Int>(mostBytes: 100, mostAtOnce: 4, mostOfReceiver: 2)
    for item in 1...5 {
      _ = queue.add(item, to: "slow \(item)", of: Self.receiver("slow"), bytes: 1)
    }
    _ = queue.add(6, to: "quick", of: Self.receiver("quick"), bytes: 1)
    // They take turns, until one of them has as much under way as it may.
    var begun = Self.begin(&queue)
    #expect(begun.map(\.item) == [1, 6, 2])
    _ = queue.end(begun.remove(at: 1))
    #expect(Self.begin(&queue).isEmpty)
    _ = queue.end(begun.remove(at: 1))
    begun += Self.begin(&queue)
    #expect(begun.map(\.item) == [1, 3])
    for one in begun { _ = queue.end(one) }
    begun = Self.begin(&queue)
    #expect(begun.map(\.item) == [4, 5])
    for one in begun { _ = queue.end(one) }
    #expect(queue.isEmpty && queue.bytes == 0)
  }

  @Test func `has a share for each receiver, which loses its oldest`() {
    var queue = DeliveryQueue<Int>(mostBytes: 1000, mostBytesOfReceiver: 10, mostAtOnce: 1)
    let hangs = Self.receiver("hangs")
    let works = Self.receiver("works")
    _ = queue.add(0, to: "x", of: hangs, bytes: 1)
    let stuck = Self.begin(&queue)
    var full: [DeliveryReceiver] = []
    for item in 1...20 {
      full += queue.add(item, to: String(item % 3), of: hangs, bytes: 1)
      #expect(queue.add(item, to: "a", of: works, bytes: item % 2) == [])
    }
    // Told once. One is under way, so nine wait.
    #expect(full == [hangs])
    #expect(queue.losses.map(\.count) == [11])
    var lost: [Int] = []
    for one in stuck { lost += queue.end(one).map { [$0] } ?? [] }
    var order: [String: [Int]] = [:]
    while let next = queue.next() {
      order[next.receiver.name, default: []].append(next.item)
      if let count = queue.end(next) { lost.append(count) }
    }
    #expect(order["hangs"]?.sorted() == Array(12...20))
    #expect(order["works"] == Array(1...20))
    #expect(lost == [11])
    #expect(queue.isEmpty && queue.bytes == 0 && queue.losses.isEmpty)
  }

  @Test func `has a bound for all, at which the fullest of the fullest project loses`() {
    var queue = DeliveryQueue<Int>(mostBytes: 12, mostAtOnce: 9)
    let receivers = [
      Self.receiver("one", of: "large"), Self.receiver("two", of: "large"),
      Self.receiver("three", of: "small"),
    ]
    for (receiver, size) in zip(receivers, [5, 2, 5]) {
      #expect(queue.add(0, to: "a", of: receiver, bytes: size) == [])
    }
    #expect(queue.add(1, to: "a", of: receivers[2], bytes: 1) == [receivers[0]])
    #expect(queue.bytes == 8)
    #expect(Set(Self.begin(&queue).map(\.receiver.name)) == ["two", "three"])
    // All that is there is under way but one.
    #expect(queue.add(2, to: "b", of: receivers[1], bytes: 12) == [receivers[2], receivers[1]])
  }

  @Test func `forgets what waits for a receiver that is taken away`() {
    var queue = DeliveryQueue<Int>(mostBytes: 10, mostAtOnce: 1)
    for item in 1...15 { _ = queue.add(item, to: "a", of: Self.only, bytes: 1) }
    let begun = Self.begin(&queue)
    let lost = queue.remove(Self.only)
    #expect(lost == 5 && queue.bytes == 1)
    for one in begun { _ = queue.end(one) }
    #expect(queue.isEmpty && queue.bytes == 0)
  }

  @Test func `empties in order however long it was`() {
    var queue = DeliveryQueue<Int>(mostBytes: 10_000, mostAtOnce: 1)
    for item in 0..<1000 { _ = queue.add(item, to: String(item % 7), of: Self.only, bytes: 1) }
    var seen: [Int: Int] = [:]
    while let next = queue.next() {
      #expect(seen[next.item % 7] ?? -1 < next.item)
      seen[next.item % 7] = next.item
      _ = queue.end(next)
    }
    #expect(queue.isEmpty)
  }

  /// Random deliveries, and each line in its order with no byte too many.
  @Test(arguments: 0..<20)
  func `keeps its bounds and its order whatever happens`(seed: UInt64) {
    var random = SmallRandom(state: seed &+ 1)
    var queue = DeliveryQueue<Int>(
      mostBytes: 60, mostBytesOfReceiver: 25, mostAtOnce: 5, mostOfReceiver: 2)
    var underWay: [DeliveryQueue<Int>.Begun] = []
    var last: [String: Int] = [:]
    for item in 1...2000 {
      switch random.next(below: 8) {
      case 0..<4:
        let receiver = Self.receiver("r\(random.next(below: 4))", of: "p\(random.next(below: 2))")
        _ = queue.add(
          item, to: "\(random.next(below: 3))", of: receiver, bytes: random.next(below: 9))
      case 4..<6:
        guard let next = queue.next() else { break }
        let line = "\(next.receiver.project) \(next.receiver.name) \(next.line)"
        #expect(last[line] ?? 0 < next.item)
        #expect(!underWay.contains { $0.line == next.line && $0.receiver == next.receiver })
        last[line] = next.item
        underWay.append(next)
      case 6:
        if !underWay.isEmpty {
          _ = queue.end(underWay.remove(at: random.next(below: underWay.count)))
        }
      default:
        if random.next(below: 40) == 0 { _ = queue.remove(Self.receiver("r1", of: "p0")) }
      }
      #expect(queue.bytes <= 60 && underWay.count <= 5)
    }
    for one in underWay { _ = queue.end(one) }
    while let next = queue.next() { _ = queue.end(next) }
    #expect(queue.isEmpty && queue.bytes == 0)
  }

  /// The same numbers in each run.
  private struct SmallRandom {
    var state: UInt64

    mutating func next(below bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
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

  private static func read(_ text: String, hosts: [String] = []) throws -> [Webhook] {
    let body = try #require(try JSON.parse(text).object)
    return try Webhook.list(body, allowing: OutgoingHosts(allowed: hosts), random: Randomness())
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
    let webhooks = try? Self.read(text, hosts: ["allowed.example"])
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
      "--allow-calls-to example.com"
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
    ([], CloudEvent.Name.userDeletedV2, false),
    (["google.firebase.auth.user.*"], CloudEvent.Name.userDeletedV2, false),
    (["google.firebase.auth.user.v2.*"], CloudEvent.Name.userDeletedV2, true),
    (["google.firebase.auth.user.v2.created"], CloudEvent.Name.userCreatedV2, true),
    (["google.firebase.auth.user.v2.created"], CloudEvent.Name.userCreated, false),
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
    let read = Webhook.each(of: entries, allowing: OutgoingHosts(allowed: []), Randomness())
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
