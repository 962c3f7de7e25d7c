package import HearthErrors
package import HearthOperations
import HearthSQLite
import HearthWire

/// Marks a message as read.
package enum MarkRead: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try Mailbox(in: project).change(request.path["messageId"]) { $0.isRead = true }
  }
}

/// Marks a message as not read.
package enum MarkUnread: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try Mailbox(in: project).change(request.path["messageId"]) { $0.isRead = false }
  }
}

/// Changes what people note of a message: `{"tags": ["checkout"], "read": true}`.
package enum UpdateMessage: Operation {
  package struct Request: OperationRequest {
    private static let mostTags = 50
    private static let longestTag = 200

    let id: String?
    let tags: [String]?
    let isRead: Bool?

    package init(_ wire: WireRequest) throws(APIError) {
      id = wire.path["messageId"]
      let known = ["tags", "read"]
      if let stranger = wire.body.keys.first(where: { !known.contains($0) }) {
        throw APIError(
          .invalidArgument,
          detail: "unknown member /\(stranger); known are \(known.joined(separator: ", "))")
      }
      if let read = wire.body["read"], read.bool == nil {
        throw APIError(.invalidArgument, detail: "/read must be true or false")
      }
      isRead = wire.bool("read")
      tags = try wire.body["tags"].map(Self.tags)
    }

    private static func tags(_ json: JSON) throws(APIError) -> [String] {
      let tags = json.array?.compactMap(\.string) ?? []
      guard json.array?.count == tags.count, tags.count <= mostTags,
        tags.allSatisfy({ !$0.isEmpty && $0.utf8.count <= longestTag })
      else {
        throw APIError(
          .invalidArgument,
          detail: "/tags must be a list of at most \(mostTags) strings of 1 to \(longestTag) bytes")
      }
      var seen: Set<String> = []
      return tags.filter { seen.insert($0).inserted }
    }
  }

  package static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try Mailbox(in: project).change(request.id) { message in
      if let tags = request.tags { message.tags = tags }
      if let isRead = request.isRead { message.isRead = isRead }
    }
  }
}

extension Mailbox {
  /// Changes a message, and answers with it.
  fileprivate func change(
    _ name: String?, body: (inout Message) -> Void
  ) throws(APIError) -> Outcome {
    var message = try message(named: name)
    let before = (message.isRead, message.tags)
    body(&message)
    if before != (message.isRead, message.tags) {
      try transaction.execute(
        "UPDATE messages SET is_read = ?, tags = ? WHERE id = ?",
        arguments: [
          message.isRead, message.tags.isEmpty ? nil : JSON.strings(message.tags).text, message.id,
        ])
      publish(
        "message.changed",
        members: .members([
          "id": .string(String(message.id)), "read": .bool(message.isRead),
          "tags": .strings(message.tags),
        ]))
    }
    return .json(message.json(at: now, openLink: project.openLink(message.link)))
  }

  /// The message that a path names.
  package func message(named name: String?) throws(APIError) -> Message {
    guard let id = name.flatMap({ Int64($0) }), let message = try message(id) else {
      throw APIError(.notFound, detail: "no message \(name ?? "") in project \(projectId)")
    }
    return message
  }
}
