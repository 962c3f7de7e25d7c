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
    let clock = server.clock
    // About as many bytes wait for a client that does not read: gathered events are many in one piece.
    let (chunks, output) = AsyncStream.makeStream(
      of: [UInt8].self, bufferingPolicy: .bufferingNewest(request.pause == nil ? 1024 : 8))
    output.yield(Array(": hearth\n\n".utf8))
    let work = Task {
      // So that a proxy does not take the silence for an end.
      while !Task.isCancelled {
        await clock.wait(until: clock.now + .seconds(20))
        output.yield(Array(": still here\n\n".utf8))
      }
    }
    let forget: @Sendable () -> Void
    if let pause = request.pause {
      let gathered = GatheredChanges { changes in
        let events = changes.compactMap { event($0, project: request.project) }
        if !events.isEmpty { output.yield(Array(events.joined())) }
      }
      forget = server.changes.listen { change in
        guard gathered.add(change) else { return }
        Task {
          await clock.wait(until: clock.now + pause)
          gathered.send()
        }
      } end: {
        gathered.send()
        output.finish()
      }
    } else {
      let changes = server.changes.stream()
      let sending = Task {
        for await change in changes {
          if let event = Self.event(change, project: request.project) { output.yield(event) }
        }
        output.finish()
      }
      forget = { sending.cancel() }
    }
    output.onTermination = { _ in
      forget()
      work.cancel()
    }
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
    case .call(project, let summary):
      name = "request"
      data = summary()
    case .messageCaptured, .event, .call: return nil
    }
    return Array("event: \(name)\ndata: \(data.text)\n\n".utf8)
  }
}

/// Changes that are sent together. When there are too many, the oldest are dropped.
private final class GatheredChanges: Sendable {
  private static let most = 1024

  private let changes = Mutex<[Change]>([])
  private let told: @Sendable ([Change]) -> Void

  init(told: @escaping @Sendable ([Change]) -> Void) { self.told = told }

  /// Whether it is the first, and `send()` is to be called after a while.
  func add(_ change: Change) -> Bool {
    changes.withLock { changes in
      if changes.count == Self.most { changes.removeFirst(Self.most / 2) }
      changes.append(change)
      return changes.count == 1
    }
  }

  func send() {
    let gathered = changes.withLock { changes in
      defer { changes = [] }
      return changes
    }
    if !gathered.isEmpty { told(gathered) }
  }
}
