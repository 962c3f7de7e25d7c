import HearthControl
import HearthCrypto
import HearthErrors
import HearthFirestore
import HearthFirestoreProtos
import HearthOperations
import HearthSQLite
import HearthTestSupport
import HearthTime
import HearthTriggers
import HearthWire
import Logging
import SwiftProtobuf
import Synchronization
import Testing

@testable import HearthEvents
@testable import HearthObservation
@testable import HearthServer
@testable import HearthSettings

@Suite struct `Events on their way` {
  /// Answers as a test wants, and keeps what it was asked.
  final class Functions: FunctionCaller {
    private struct State {
      var asked: [FunctionRequest] = []
      var answers: [Result<FunctionReply, FunctionFailure>]
    }

    private let state: Mutex<State>

    init(_ answers: [Result<FunctionReply, FunctionFailure>]) {
      state = Mutex(State(answers: answers))
    }

    var asked: [FunctionRequest] { state.withLock { $0.asked } }

    func send(
      _ request: FunctionRequest, within timeout: Duration
    ) async throws(FunctionFailure) -> FunctionReply {
      let answer = state.withLock { state in
        state.asked.append(request)
        return state.answers.isEmpty
          ? .success(FunctionReply(status: 200, body: [])) : state.answers.removeFirst()
      }
      return try answer.get()
    }
  }

  struct Rig {
    let clock = ManualClock()
    let functions: Functions
    let recorder: CallRecorder
    let events: EventDispatch
    let firestore: Firestore
    let log = CapturedLog()

    init(
      _ answers: [Result<FunctionReply, FunctionFailure>] = [], retries: Int = 0,
      address: String? = "127.0.0.1:5001"
    ) throws {
      functions = Functions(answers)
      let server = ServerFacts(
        defaultProject: "demo", initialSwitches: Switches.Profile.emulator.switches, clock: clock,
        functions: functions,
        sendsUserEvents: true)
      let store = try Store(migrations: Schema.migrations)
      recorder = CallRecorder(server, bytes: 1 << 20)
      var configuration = Configuration()
      configuration.functionsAddress = address
      configuration.triggerRetries = retries
      let log = log
      events = EventDispatch(
        server, store: store, recorder: recorder, configuration: configuration,
        logger: Logger(label: "test") { _ in log },
        caller: functions)
      firestore = try Firestore(
        store: store, clocks: server.clocks, rules: RulesTable(), observer: events)
    }

    func register(_ key: String, type: String, path: String) throws {
      let trigger = try DocumentTrigger(
        secondGeneration: "google.cloud.firestore.document.v1.\(type)", key: key,
        database: "(default)", path: path, syntax: .wildcards)
      try events.register(trigger, of: "demo")
    }

    func write(_ path: String, number: Int64 = 1) async throws {
      let database = "projects/demo/databases/(default)"
      _ = try await firestore.commit(
        .with {
          $0.database = database
          $0.writes = [
            .with {
              $0.update.name = "\(database)/documents/\(path)"
              $0.update.fields = ["n": .with { $0.integerValue = number }]
            }
          ]
        }, as: .owner)
    }

    /// Delivers while the body runs, and until nothing waits any more.
    func delivering(_ body: () async throws -> Void) async throws {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await events.run() }
        try await body()
        await events.pause()
        events.resume()
        group.cancelAll()
      }
    }

    /// Each request that the log has, by what it was about.
    var noted: [(status: Int64?, error: String?)] {
      recorder.requests.entries(of: "demo").map { $0.json(isWhole: false) }.map {
        ($0["status"]?.integer, $0["error"]?.string)
      }
    }
  }

  @Test func `A time-out is in the request log, and is not tried again`() async throws {
    let rig = try Rig([.failure(.timedOut)])
    try rig.register("k-0", type: "written", path: "a/{b}")
    try await rig.delivering { try await rig.write("a/b") }
    #expect(rig.noted.map(\.status) == [504])
    #expect(rig.noted.map(\.error) == ["DEADLINE_EXCEEDED"])
    #expect(rig.functions.asked.count == 1)
  }

  @Test func `A function that fails is called again as often as is asked for`() async throws {
    let failure = FunctionReply(status: 500, body: Array("no".utf8))
    let rig = try Rig([.success(failure), .failure(.unreachable(reason: "refused"))], retries: 2)
    try rig.register("k-0", type: "written", path: "a/{b}")
    try await rig.delivering {
      try await rig.write("a/b")
      for delay in [1, 4] {
        while !rig.clock.hasWaiters { await Task.yield() }
        rig.clock.advance(by: .seconds(delay))
      }
      while rig.functions.asked.count < 3 { await Task.yield() }
    }
    #expect(rig.noted.map(\.status) == [500, 503, 200])
    let ids = rig.functions.asked.map { $0.headers.first { $0.name == "ce-id" }?.value }
    #expect(Set(ids).count == 1)
  }

  @Test func `A receiver that fails is in the log once, until it works again`() async throws {
    let dead = Result<FunctionReply, FunctionFailure>.failure(.unreachable(reason: "refused"))
    let alive = Result<FunctionReply, FunctionFailure>.success(FunctionReply(status: 200, body: []))
    let rig = try Rig([dead, dead, alive, dead])
    try rig.register("k-0", type: "written", path: "a/{b}")
    try await rig.delivering {
      for number in 1...4 { try await rig.write("a/b", number: Int64(number)) }
    }
    #expect(rig.noted.map(\.status) == [503, 503, 200, 503])
    #expect(rig.log.lines.filter { $0.contains("was not accepted by") }.count == 2)
  }

  @Test func `An address without such a port is not called`() async {
    for url in ["http://127.0.0.1:65536/", "https://127.0.0.1:99999/a?b=c"] {
      await #expect(throws: FunctionFailure.self) {
        try await FunctionsClient.events(.thisMachine).send(
          FunctionRequest(url: url, json: [:]), within: .seconds(5))
      }
    }
  }

  @Test func `Who makes a request cannot forget to ask whether it may be made`() async throws {
    let request = FunctionRequest("GET", url: "http://192.0.2.2:9/keys")
    for client in [FunctionsClient.events(.thisMachine), .functions(.thisMachine)] {
      let failure = await #expect(throws: FunctionFailure.self) {
        try await client.send(request, within: .seconds(5))
      }
      guard case .refused(let refusal) = failure else {
        Issue.record("\(String(describing: failure))")
        continue
      }
      #expect(refusal.description.hasSuffix("; --allow-calls-to 192.0.2.2 allows it"))
    }
  }

  /// But not those on a host that is no longer allowed.
  @Test func `Webhooks are there after a restart with data`() async throws {
    try await withTemporaryFolder { folder in
      for (run, hosts) in [["a.example"], ["a.example"], []].enumerated() {
        try await TestServer.open {
          $0.dataDirectory = folder
          $0.allowedCallHosts = hosts
        } body: { server in
          func webhooks(_ project: String) -> String { "/emulator/v1/projects/\(project)/webhooks" }
          let json = [("Content-Type", "application/json")]
          if run == 0 {
            for (project, hosts) in [
              ("demo-a", ["a.example", "localhost"]), ("demo-b", ["localhost"]),
            ] {
              let list = hosts.map {
                #"{"url":"http://\#($0)/x","events":["*"],"path":"a/{b}"}"#
              }.joined(separator: ",")
              let reply = try await server.send(
                "PUT", path: webhooks(project), body: #"{"webhooks":[\#(list)]}"#, headers: json)
              #expect(reply.status == 200, "\(reply.text)")
            }
            _ = try await server.send(
              "PUT", path: webhooks("demo-c"), body: #"{"webhooks":[{"url":"http://localhost/"}]}"#,
              headers: json)
            _ = try await server.send("DELETE", path: webhooks("demo-c"))
          }
          var counts: [Int?] = []
          for project in ["demo-a", "demo-b", "demo-c"] {
            let reply = try await server.send("GET", path: webhooks(project))
            counts.append(reply["webhooks"]?.array?.count)
          }
          #expect(counts == [run < 2 ? 2 : 1, 1, 0])
          let isTold = server.log.lines.contains {
            $0.contains("project demo-a is not used") && $0.contains("/webhooks/0/url")
          }
          #expect(isTold == (run == 2))
        }
      }
    }
  }

  @Test func `Those of one document come in their order`() async throws {
    let rig = try Rig()
    try rig.register("k-0", type: "written", path: "{all=**}")
    try rig.register("k-1", type: "updated", path: "{all=**}")
    try await rig.delivering {
      for number in 1...20 { try await rig.write("a/\(number % 3)", number: Int64(number)) }
    }
    for document in 0..<3 {
      let bodies = rig.functions.asked.filter { request in
        request.headers.contains { $0 == ("ce-document", "a/\(document)") }
          && request.url.hasSuffix("/k-0")
      }.map(\.body)
      let numbers = bodies.compactMap { body -> Int64? in
        guard let data = Base64.decode(body[...]), data.count > 2 else { return nil }
        let document = try? Google_Firestore_V1_Document(
          serializedBytes: Array(data[2..<(2 + Int(data[1]))]))
        return document?.fields["n"]?.integerValue
      }
      #expect(numbers.count > 5 && numbers == numbers.sorted())
    }
    #expect(rig.functions.asked.count == 20 + 17)
  }

  @Test func `A pause drops what happens, and lets through what happened before`() async throws {
    let rig = try Rig()
    try rig.register("k-0", type: "written", path: "a/{b}")
    try await rig.delivering {
      try await rig.write("a/1")
      await rig.events.pause()
      #expect(rig.functions.asked.count == 1)
      try await rig.write("a/2")
      rig.events.resume()
      try await rig.write("a/3")
    }
    let documents = rig.functions.asked.map { $0.headers.first { $0.name == "ce-document" }?.value }
    #expect(documents == ["a/1", "a/3"])
  }

  @Test func `Without triggers nobody watches`() async throws {
    let rig = try Rig(address: nil)
    #expect(!rig.events.isWatching)
    let webhook = try Webhook.list(
      JSONObject(["webhooks": [.members(["url": "http://localhost/"])]]),
      allowing: .thisMachine, random: .init())
    try rig.events.set(webhook, of: "demo")
    #expect(rig.events.isWatching)
    try rig.events.set([], of: "demo")
    #expect(!rig.events.isWatching)
  }

  @Test func `What does not fit is dropped, and the rest goes on`() async throws {
    let rig = try Rig()
    try rig.register("k-0", type: "written", path: "a/{b}")
    let large = JSON.members([
      "eventId": "1", "eventType": "providers/firebase.auth/eventTypes/user.create",
      "data": .members(["uid": "x"]), "more": .string(String(repeating: "x", count: 20 << 20)),
    ])
    rig.events.users([large], project: "demo")
    rig.events.users([large], project: "demo")
    try await rig.delivering {
      while rig.functions.asked.isEmpty { await Task.yield() }
      try await rig.write("a/b")
    }
    // The first one for both generations, and the document.
    #expect(rig.functions.asked.count == 3)
    #expect(rig.log.lines.contains { $0.contains("1 events were dropped") })
  }
}
