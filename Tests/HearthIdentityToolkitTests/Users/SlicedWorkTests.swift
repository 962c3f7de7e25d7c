import HearthErrors
import HearthOperations
import HearthTestSupport
import HearthWire
import Synchronization
import Testing

@testable import HearthIdentityToolkit

@Suite struct `A long list` {
  private final class Events: Sendable {
    private let kept = Mutex<[String]>([])

    var all: [String] { kept.withLock { $0 } }
    func append(_ event: String) { kept.withLock { $0.append(event) } }
  }

  private func work(
    _ items: [String], longest: Duration, events: Events
  ) -> SlicedWork<String, [Int]> {
    SlicedWork(items, longest: longest) { indices, index, item, _, _ throws(APIError) in
      if item == "bad" { throw APIError(.invalidArgument, detail: item) }
      events.append(item)
      indices.append(index)
    } finish: { indices, _ in
      events.append("finish")
      return .json(["indices": .array(indices.map { .int(Int64($0)) })])
    }
  }

  /// The first transaction; each `away` ends one.
  private func begin(
    _ work: SlicedWork<String, [Int]>, in project: TestProject
  ) throws -> Outcome {
    try project.inProject { transaction throws(APIError) in
      try work.run([], in: transaction, context: project.context())
    }
  }

  @Test func `lets other requests through between its slices`() async throws {
    let (project, events) = (try TestProject([]), Events())
    var outcome = try begin(work(["a", "b", "c"], longest: .zero, events: events), in: project)
    var answer: Answer?
    while answer == nil {
      switch outcome {
      case .answer(let last): answer = last
      case .away(let pause):
        // The store is free now.
        try project.inProject { _ throws(APIError) in events.append("other") }
        let resume = try await pause()
        outcome = try project.inProject { transaction throws(APIError) in
          try resume(transaction, project.context())
        }
      }
    }
    #expect(events.all == ["a", "other", "b", "other", "c", "finish"])
    #expect(answer?.json["indices"] == [0, 1, 2])
  }

  @Test(arguments: [[], ["a"], ["a", "b", "c"]])
  func `that is short is done in one transaction`(items: [String]) throws {
    let (project, events) = (try TestProject([]), Events())
    guard case .answer = try begin(work(items, longest: .seconds(600), events: events), in: project)
    else {
      Issue.record("it was cut")
      return
    }
    #expect(events.all == items + ["finish"])
  }

  /// Nothing is between the last item and the answer.
  @Test func `is not cut after its last item`() throws {
    let (project, events) = (try TestProject([]), Events())
    guard case .answer = try begin(work(["a"], longest: .zero, events: events), in: project) else {
      Issue.record("it was cut")
      return
    }
  }

  @Test func `ends with an error of an item`() async throws {
    let (project, events) = (try TestProject([]), Events())
    let beginning = try begin(work(["a", "bad", "c"], longest: .zero, events: events), in: project)
    await #expect(throws: APIError(.invalidArgument, detail: "bad")) {
      try await project.finish(beginning)
    }
    #expect(events.all == ["a"])
  }
}
