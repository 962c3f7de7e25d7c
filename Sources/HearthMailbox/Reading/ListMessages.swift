package import HearthErrors
package import HearthOperations
import HearthTime
import HearthWire

/// The newest messages that match, oldest first.
package enum ListMessages: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    let filter = try MessageFilter(request.query, alsoAllowing: ["limit"])
    let limit =
      try MessageFilter.number(request.query["limit"], named: "limit", in: 1...1000) ?? 100
    let messages = try project.messages(matching: filter, limit: Int(limit))
    return .json(["messages": .array(messages.map { .object($0.json(at: project.now)) })])
  }
}
