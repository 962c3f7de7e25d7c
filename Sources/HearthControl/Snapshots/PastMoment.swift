import HearthErrors
import HearthObservation
import HearthOperations
import HearthTime
import HearthWire

/// A moment of a project's past, as its request log tells it.
struct PastMoment: Sendable {
  /// By the machine's clock, in microseconds.
  let arrival: Int64
  /// By the project's clock.
  let time: Timestamp
  /// The machine's times of the restores since.
  private let restores: [Int64]

  private init(arrival: Int64, time: Timestamp, restores: [Int64]) {
    self.arrival = arrival
    self.time = time
    self.restores = restores.filter { $0 > arrival }
  }

  /// The moments after requests.
  static func all(_ entries: [RequestLog.Entry]) -> [PastMoment] {
    let restores = restores(entries)
    return entries.map { PastMoment(arrival: $0.arrival, time: $0.time, restores: restores) }
  }

  private static func restores(_ entries: [RequestLog.Entry]) -> [Int64] {
    entries.filter { $0.call.operation == "hearth.snapshots.restore" && $0.call.status < 400 }
      .map(\.arrival)
  }

  /// The first moment at which the project's clock has shown that time.
  init(
    _ time: Timestamp, of project: String, among entries: [RequestLog.Entry], clocks: ProjectClocks
  ) throws(APIError) {
    guard let first = entries.first, first.time <= time else {
      throw APIError(
        .failedPrecondition,
        detail: "the request log does not reach back to that time, or the clock has been moved; "
          + "name a request")
    }
    let now = (arrival: clocks.machineMicroseconds, time: clocks.now(of: project))
    let next = entries.firstIndex { $0.time >= time }
    let end = next.map { (arrival: entries[$0].arrival, time: entries[$0].time) } ?? now
    guard time <= end.time else {
      throw APIError(.invalidArgument, detail: "/time must not be after the project's time")
    }
    let before = (next ?? entries.endIndex) - 1
    let arrival = end.arrival - (end.time.milliseconds - time.milliseconds) * 1000
    self.init(
      arrival: max(arrival, before >= 0 ? entries[before].arrival : 0), time: time,
      restores: Self.restores(entries))
  }

  /// Whether a restore came between the moment and `end`; nil as the end is now.
  func isBeforeRestore(until end: Int64?) -> Bool {
    restores.contains { $0 < end ?? .max }
  }
}

extension SnapshotControl {
  /// The moment that a call names: `request`, the number of one, or `time`, a time of the project's
  /// clock.
  func moment(
    request id: String?, time: String?, of project: String
  ) throws(APIError) -> PastMoment {
    let entries = log.entries(of: project)
    if let id, time == nil {
      guard let index = entries.lastIndex(where: { String($0.id) == id }) else {
        throw APIError(.notFound, detail: "the request log has no request \(id)")
      }
      return PastMoment.all(entries)[index]
    }
    guard id == nil, let time, let wanted = Timestamp(iso8601: time) else {
      throw APIError(
        .invalidArgument,
        detail: "either /request, the number of a request, or /time, such as 2027-01-31T09:30:00Z")
    }
    return try PastMoment(wanted, of: project, among: entries, clocks: server.clocks)
  }
}
