import HearthErrors
import HearthOperations
import HearthTime

/// Work on a list of any length, in as many transactions as it takes for none to be long: others
/// who need the store, and the thread that does it, wait for one of them at most.
///
/// Where the store fails, what the transactions before have done stays.
struct SlicedWork<Item: Sendable, State: Sendable>: Sendable {
  typealias Step =
    @Sendable (inout State, Int, Item, ProjectTransaction, Context) throws(APIError) -> Void

  private let items: [Item]
  private let longest: Duration
  private let step: Step
  private let finish: @Sendable (State, ProjectTransaction) throws(APIError) -> Outcome

  /// - Parameters:
  ///   - items: the list.
  ///   - longest: a transaction that has taken this long starts no other item.
  ///   - step: does what is to be done with the item of that index.
  ///   - finish: makes the answer, in the last transaction.
  init(
    _ items: [Item], longest: Duration = .milliseconds(10), step: @escaping Step,
    finish: @escaping @Sendable (State, ProjectTransaction) throws(APIError) -> Outcome
  ) {
    self.items = items
    self.longest = longest
    self.step = step
    self.finish = finish
  }

  func run(
    _ state: State, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try run(from: 0, state: state, in: project, context: context)
  }

  private func run(
    from start: Int, state: State, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    var state = state
    let began = ContinuousClock.now
    for index in start..<items.count {
      try step(&state, index, items[index], project, context)
      guard index + 1 < items.count, ContinuousClock.now - began >= longest else { continue }
      let made = state
      return .away { () async throws(APIError) in
        // Elsewhere for a moment: an event loop that always has a task does not read its sockets.
        await Task.detached {}.value
        return { project, context throws(APIError) in
          try run(from: index + 1, state: made, in: project, context: context)
        }
      }
    }
    return try finish(state, project)
  }
}
