package import HearthErrors
package import HearthOperations
import HearthTime
import HearthWire

/// The newest messages that match, oldest first, and how many match in all. `before` has the page before
/// the one that begins with that message. With `summary=true` they are without texts and headers.
package enum ListMessages: Operation {
  package struct Request: OperationRequest {
    let filter: MessageFilter
    let limit: Int
    let asSummaries: Bool

    package init(_ wire: WireRequest) throws(APIError) {
      filter = try MessageFilter(wire.query, alsoAllowing: ["limit", "summary"])
      let limit = try MessageFilter.number(wire.query["limit"], named: "limit", in: 1...1000)
      self.limit = Int(limit ?? 100)
      switch wire.query["summary"] {
      case nil, "false": asSummaries = false
      case "true": asSummaries = true
      default: throw APIError(.invalidArgument, detail: "\"summary\" must be true or false")
      }
    }
  }

  package static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let messages = try Mailbox(in: project).messages(
      matching: request.filter, limit: request.limit, asSummaries: request.asSummaries)
    return .json([
      "messages": .array(
        messages.map {
          .object(
            $0.json(
              at: Mailbox(in: project).now, openLink: project.openLink($0.link),
              isSummary: request.asSummaries))
        }),
      "total": .int(Int64(try total(request, of: messages.count, in: project))),
    ])
  }

  /// Of all pages. One that is not full, and has no other after it, holds all messages.
  private static func total(
    _ request: Request, of count: Int, in project: ProjectTransaction
  ) throws(APIError) -> Int {
    guard count == request.limit || request.filter.before != nil else { return count }
    var filter = request.filter
    filter.before = nil
    return try Mailbox(in: project).messageCount(matching: filter)
  }
}
