import HTTPTypes
import HearthOperations
import Synchronization
import Testing

@testable import HearthServer
@testable import HearthTokens
@testable import HearthTransport

@Suite(.timeLimit(.minutes(30))) struct `Large answers that nobody has read yet` {
  private typealias Answer = LargeAnswers.Answer

  /// Releases an answer on demand, as a connection does that is closed.
  private final class Reader: Sendable {
    private let answer: Mutex<Answer?>

    init(_ bytes: Int, in answers: LargeAnswers, size: LargeAnswers.Size = .any) {
      let answer = Answer(size, in: answers)
      answer.hold(bytes)
      self.answer = Mutex(answer)
      answer.whenStuck { [weak self] in self?.letGo() }
    }

    func letGo() { answer.withLock { $0 = nil } }
  }

  /// Reads so many bytes as soon as there is room for them, and says how often it has begun.
  private static func make(_ bytes: Int, answer: Answer) async -> Int {
    var attempts = 1
    while !answer.mayKeep(bytes, isComplete: true) {
      attempts += 1
      await answer.room()
    }
    return attempts
  }

  @Test func `do not count when they are small`() {
    let answers = LargeAnswers()
    let reader = Reader(LargeAnswers.small, in: answers)
    #expect(answers.held == 0)
    withExtendedLifetime(reader) {}
  }

  @Test func `are given up when others wait and nobody reads them`() async {
    let answers = LargeAnswers(most: 4 << 20, patience: .milliseconds(1))
    let readers = (0..<2).map { _ in Reader(2 << 20, in: answers) }
    let answer = Answer(in: answers)
    #expect(await Self.make(1 << 20, answer: answer) == 2)
    #expect(answers.held == 4 << 20)
    withExtendedLifetime(readers) {}
  }

  @Test func `are given up beyond the bound, also when nobody waits`() async {
    let answers = LargeAnswers(most: 2 << 20, patience: .milliseconds(1))
    let readers = (0..<3).map { _ in Reader(1 << 20, in: answers) }
    while answers.held > 2 << 20 { await Task.yield() }
    withExtendedLifetime(readers) {}
  }

  @Test func `make room when they are read`() async {
    let answers = LargeAnswers(most: 4 << 20, patience: .seconds(3600))
    let reader = Reader(2 << 20, in: answers)
    let answer = Answer(in: answers)
    async let attempts = Self.make(1 << 20, answer: answer)
    while answers.waiting < 1 { await Task.yield() }
    reader.letGo()
    #expect(await attempts == 2)
  }

  @Test func `hold up those who may answer much, and not those who read a document`() async {
    let answers = LargeAnswers(most: 6 << 20, patience: .seconds(3600))
    let reader = Reader(6 << 20, in: answers)
    let document = Answer(.document, in: answers)
    #expect(await Self.make(512 << 10, answer: document) == 1)
    let list = Answer(in: answers)
    #expect(!list.mayKeep(512 << 10, isComplete: true))
    withExtendedLifetime(reader) {}
  }

  @Test func `hold nobody up who answers little`() {
    let answers = LargeAnswers(most: 1 << 20, patience: .seconds(3600))
    let reader = Reader(8 << 20, in: answers)
    #expect(Answer(in: answers).mayKeep(LargeAnswers.small, isComplete: true))
    withExtendedLifetime(reader) {}
  }

  @Test func `come alone when they are larger than all the room`() async {
    let answers = LargeAnswers(most: 4 << 20, patience: .seconds(3600))
    let answer = Answer(in: answers)
    #expect(await Self.make(20 << 20, answer: answer) == 1)
    #expect(answers.held == 4 << 20)
    #expect(answer.mayKeep(40 << 20, isComplete: false))
  }

  /// All begin before any of them is complete.
  @Test func `stay within the bound when they begin together`() async {
    let answers = LargeAnswers(most: 8 << 20, patience: .seconds(3600))
    await withTaskGroup { group in
      for _ in 0..<60 {
        group.addTask {
          let answer = Answer(in: answers)
          // More and more is read, and let go where there is no room.
          var bytes = 512 << 10
          while bytes <= 1 << 20 {
            guard answer.mayKeep(bytes, isComplete: bytes == 1 << 20) else {
              await answer.room()
              bytes = 512 << 10
              continue
            }
            await Task.yield()
            bytes *= 2
          }
          answer.hold(1 << 20)
          await Task.yield()
        }
      }
    }
    #expect(answers.highest <= 8 << 20)
    #expect(answers.held == 0)
  }

  @Test func `let a call go that is given up while it waits`() async {
    let answers = LargeAnswers(most: 2 << 20, patience: .seconds(3600))
    let reader = Reader(2 << 20, in: answers)
    let waiting = Task {
      let answer = Answer(in: answers)
      _ = answer.mayKeep(1 << 20, isComplete: true)
      await answer.room()
    }
    while answers.waiting < 1 { await Task.yield() }
    waiting.cancel()
    await waiting.value
    #expect(answers.waiting == 0)
    withExtendedLifetime(reader) {}
  }
}

@Suite(.timeLimit(.minutes(30))) struct `Large requests` {
  @Test func `are let in as long as there is room, the first one first`() async {
    let requests = LargeRequests(most: 10)
    var first: LargeRequests.Room? = await requests.room(for: 6)
    var second: LargeRequests.Room? = await requests.room(for: 4)
    // Too large for all the room there is: comes when there is nobody else.
    let (order, entry) = AsyncStream.makeStream(of: String.self)
    await withTaskGroup { group in
      group.addTask {
        let room = await requests.room(for: 100)
        entry.yield("large")
        withExtendedLifetime(room) {}
      }
      while requests.waiting < 1 { await Task.yield() }
      group.addTask {
        let room = await requests.room(for: 1)
        entry.yield("small")
        withExtendedLifetime(room) {}
      }
      while requests.waiting < 2 { await Task.yield() }
      // Room enough for the small one, but not before the large one.
      first = nil
      #expect(requests.waiting == 2)
      second = nil
    }
    #expect(first == nil && second == nil)
    entry.finish()
    #expect(await order.reduce(into: []) { $0.append($1) } == ["large", "small"])
  }
}

@Suite struct `What the server may hold` {
  @Test func `is given back when it is let go`() {
    let budget = ByteBudget(100)
    var first = budget.reserve(60)
    #expect(first != nil)
    #expect(budget.reserve(60) == nil)
    first = nil
    #expect(budget.reserve(60) != nil)
    #expect(first == nil)
  }

  @Test(arguments: [
    ("/identitytoolkit.googleapis.com/v1/projects/p/accounts:batchCreate?x=y", 64 << 20),
    ("/www.googleapis.com/identitytoolkit/v3/relyingparty/uploadAccount", 64 << 20),
    ("/identitytoolkit.googleapis.com/v1/accounts:signUp?x=/uploadAccount", 10 << 20),
    ("/", 10 << 20),
  ])
  func `is more for imports`(path: String, bytes: Int) {
    let limits = Limits()
    let port = ServedPort(.auth, tokenMode: .rs256)
    let routing = Routing(Hosts(bound: "127.0.0.1", allowed: []))
    let bound = routing.bounds(at: port, within: limits, isFirestoreAsProduction: false)
    let head = HTTPRequest(method: .post, scheme: nil, authority: "localhost", path: path)
    #expect(bound(head)?.bytes ?? limits.body == bytes)
  }
}

@Suite struct `A call of gRPC` {
  @Test(arguments: [
    ("10S", Duration.seconds(10)), ("1H", .seconds(3600)), ("20m", .milliseconds(20)),
    ("99999999H", .seconds(99_999_999 * 3600)), ("x", nil), ("", nil), ("-1S", nil), ("10", nil),
    ("999999999S", nil),
  ])
  func `has a deadline`(text: String, duration: Duration?) {
    #expect(Duration(grpcTimeout: text) == duration)
  }

  @Test(arguments: [("plain", "plain"), ("50%", "50%25"), ("ü\n", "%C3%BC%0A")])
  func `ends with a message that a header may hold`(message: String, encoded: String) {
    #expect(GRPCStatus(code: 2, message: message).encodedMessage == encoded)
  }
}
