import HTTPTypes
import HearthOperations
import HearthTime
import HearthTransport
import HearthWire

/// What happens in a project, as server-sent events, for as long as somebody listens.
enum StreamEvents: ServerOperation {
  static func run(
    _ request: ServerRequest, with server: ServerFacts
  ) async throws -> OutgoingReply {
    let project = request.project
    let changes = server.changes.stream()
    let clock = server.clock
    let (chunks, output) = AsyncStream.makeStream(
      of: [UInt8].self, bufferingPolicy: .bufferingNewest(1024))
    output.yield(Array(": hearth\n\n".utf8))
    let work = Task {
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          for await change in changes {
            if let event = Self.event(change, project: project) { output.yield(event) }
          }
        }
        group.addTask {
          // So that a proxy does not take the silence for an end.
          while !Task.isCancelled {
            await clock.wait(until: clock.now + .seconds(20))
            output.yield(Array(": still here\n\n".utf8))
          }
        }
      }
    }
    output.onTermination = { _ in work.cancel() }
    var reply = OutgoingReply(status: 200)
    reply.headers[.contentType] = "text/event-stream; charset=utf-8"
    reply.headers[.cacheControl] = "no-cache"
    reply.stream = ReplyStream(chunks: chunks) { output.finish() }
    return reply
  }

  private static func event(_ change: Change, project: String) -> [UInt8]? {
    let name: String
    let data: JSON
    switch change {
    case .messageCaptured(project, let id):
      name = "message.captured"
      data = .members(["id": .string(String(id))])
    case .event(project, let given, let json), .eventEverywhere(let given, let json):
      name = given
      data = json
    case .messageCaptured, .event: return nil
    }
    return Array("event: \(name)\ndata: \(data.text)\n\n".utf8)
  }
}
