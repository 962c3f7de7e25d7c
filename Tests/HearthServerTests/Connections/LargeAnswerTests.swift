import Synchronization
import Testing

@testable import HearthServer

@Suite(.timeLimit(.minutes(30))) struct `Large answers that nobody has read yet` {
  /// Releases an answer on demand, as a connection does that is closed.
  private final class Reader: Sendable {
    private let answer: Mutex<LargeAnswers.Answer?>

    init(_ answer: LargeAnswers.Answer?) {
      self.answer = Mutex(answer)
      answer?.whenStuck { [weak self] in self?.letGo() }
    }

    func letGo() { answer.withLock { $0 = nil } }
  }

  @Test func `do not count when they are small`() {
    #expect(LargeAnswers().note(LargeAnswers.small) == nil)
  }

  @Test func `are given up when others wait and nobody reads them`() async {
    let answers = LargeAnswers(most: 3 << 20, patience: .milliseconds(1))
    let readers = (0..<3).map { _ in Reader(answers.note(2 << 20)) }
    #expect(answers.isFull)
    await answers.room()
    #expect(!answers.isFull)
    withExtendedLifetime(readers) {}
  }

  @Test func `make room when they are read`() async {
    let answers = LargeAnswers(most: 1 << 20, patience: .seconds(3600))
    let reader = Reader(answers.note(2 << 20))
    async let room: Void = answers.room()
    reader.letGo()
    await room
    #expect(!answers.isFull)
  }

  @Test func `hold up those who may answer much, and not those who read a document`() async {
    let answers = LargeAnswers(most: 3 << 20, patience: .seconds(3600))
    let readers = (0..<2).map { _ in Reader(answers.note(2 << 20)) }
    #expect(answers.isFull)
    await answers.room(for: .document)
    let last = Reader(answers.note(1 << 20))
    async let document: Void = answers.room(for: .document)
    last.letGo()
    await document
    #expect(answers.isFull)
    withExtendedLifetime(readers) {}
  }

  @Test func `hold nobody up below the bound`() async {
    let answers = LargeAnswers(most: 4 << 20)
    let reader = Reader(answers.note(2 << 20))
    await answers.room()
    #expect(!answers.isFull)
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
    #expect(Limits().body(of: path) == bytes)
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
