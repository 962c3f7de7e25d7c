package import HearthErrors
package import HearthOperations
import HearthTime
import HearthWire

/// The newest messages that match, oldest first.
package enum ListMessages: Operation {
  package struct Request: OperationRequest {
    let filter: MessageFilter
    let limit: Int

    package init(_ wire: WireRequest) throws(APIError) {
      filter = try MessageFilter(wire.query, alsoAllowing: ["limit"])
      let limit = try MessageFilter.number(wire.query["limit"], named: "limit", in: 1...1000)
      self.limit = Int(limit ?? 100)
    }
  }

  package static func run(
    _ request: Request, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    let messages = try project.messages(matching: request.filter, limit: request.limit)
    return .json(["messages": .array(messages.map { .object($0.json(at: project.now)) })])
  }
}
