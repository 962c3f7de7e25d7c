import HTTPTypes
import HearthErrors
import HearthOperations
import HearthTime
import HearthTransport
import HearthWire
import Synchronization

/// What happens in a project, as server-sent events, for as long as somebody listens.
///
/// With `every=100` the events of 100 milliseconds are sent together: to send each by itself keeps
/// the processor from the app that causes them.
enum StreamEvents: ServerOperation {
  struct Request: ServerOperationRequest {
    let project: String
    /// For how long events are gathered; nil where each is sent at once.
    let pause: Duration?

    init(_ request: ServerRequest) throws(APIError) {
      project = request.project
      guard let text = request.wire.query["every"] else {
        pause = nil
        return
      }
      guard let milliseconds = Int(text), (1...10_000).contains(milliseconds) else {
        throw APIError(
          .invalidArgument, detail: "every must be a number of milliseconds from 1 to 10000")
      }
      pause = .milliseconds(milliseconds)
    }
  }

  static func run(_ request: Request, with server: ServerFacts) async throws -> OutgoingReply {
    let changes = server.changes.stream()
    let clock = server.clock
    let (chunks, output) = AsyncStream.makeStream(
      of: [UInt8].self, bufferingPolicy: .bufferingNewest(request.pause == nil ? 1024 : 64))
    output.yield(Array(": hearth\n\n".utf8))
    let work = Task {
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          let events = changes.compactMap { Self.event($0, project: request.project) }
          guard let pause = request.pause else {
            for await event in events { output.yield(event) }
            return
          }
          let gathered = GatheredEvents()
          await withDiscardingTaskGroup { group in
            for await event in events {
              switch gathered.add(event) {
              case .begun:
                group.addTask {
                  await clock.wait(until: clock.now + pause)
                  // None are left where there were too many to wait.
                  let events = gathered.take()
                  if !events.isEmpty { output.yield(events) }
                }
              case .going: break
              case .full: output.yield(gathered.take())
              }
            }
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

/// Events that are sent together.
private final class GatheredEvents: Sendable {
  /// Where events have got to with one more.
  enum Progress {
    /// It is the first of those that are gathered.
    case begun
    case going
    case full
  }

  private static let mostBytes = 256 << 10

  private let bytes = Mutex<[UInt8]>([])

  func add(_ event: [UInt8]) -> Progress {
    bytes.withLock { bytes in
      let isFirst = bytes.isEmpty
      bytes += event
      return bytes.count >= Self.mostBytes ? .full : isFirst ? .begun : .going
    }
  }

  func take() -> [UInt8] {
    bytes.withLock { bytes in
      defer { bytes = [] }
      return bytes
    }
  }
}
