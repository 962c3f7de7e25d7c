import HTTPTypes
import HearthErrors
package import HearthFirestore
package import HearthTime
import HearthWire
import Synchronization

/// The latest calls of each project, for people who wonder what their app sent.
///
/// It is bounded in calls for each project, and in bytes and projects for all of them together. It owns
/// the calls, and may be called on any thread.
package final class RequestLog: Sendable {
  private static let capacity = 1000
  private static let mostProjects = 256
  /// Longer bodies are not kept.
  private static let longestBody = 8192
  private static let longestExplanation = 65_536

  package struct Entry: Sendable {
    package let id: Int64
    package let time: Timestamp
    /// The machine's time at which it was over, in microseconds.
    package let arrival: Int64
    package fileprivate(set) var call: AnsweredCall

    /// About what it takes in memory.
    fileprivate(set) var bytes: Int
  }

  private struct ProjectLog {
    var entries: [Entry] = []
    var bytes = 0
    /// The latest call of an app: its number, and the machine's time.
    var activity: (id: Int64, time: Timestamp)?

    var lastID: Int64 { entries.last?.id ?? 0 }

    mutating func append(_ entry: Entry, bytes: Int, machineTime: Timestamp) {
      entries.append(entry)
      self.bytes += bytes
      if !entry.call.isAside { activity = (entry.id, machineTime) }
    }

    mutating func removeFirst(_ count: Int) {
      bytes -= entries.prefix(count).reduce(0) { $0 + $1.bytes }
      // In place: to copy those that stay would count each up and down.
      entries.removeFirst(count)
    }
  }

  private struct State {
    var nextID: Int64 = 1
    var bytes = 0
    var projects: [String: ProjectLog] = [:]
  }

  /// Of all projects together.
  private let mostBytes: Int
  private let state = Mutex(State())

  package init(bytes: Int) { mostBytes = bytes }

  /// Notes a call at the project's time; the machine's says which project was used last. `arrival`
  /// tells that more finely, in microseconds.
  ///
  /// - Returns: its number.
  @discardableResult
  package func add(
    _ call: AnsweredCall, at time: Timestamp, machineTime: Timestamp, arrival: Int64? = nil
  ) -> Int64 {
    let arrival = arrival ?? machineTime.milliseconds * 1000
    var call = call
    if call.body.count > Self.longestBody {
      call.body = []
      call.isBodyLeftOut = true
    }
    if call.response.count > Self.longestBody {
      call.response = []
      call.isResponseLeftOut = true
    }
    if call.explanation?.utf8.count ?? 0 > Self.longestExplanation { call.explanation = nil }
    let bytes = call.bytes
    return state.withLock { state in
      let entry = Entry(
        id: state.nextID, time: time, arrival: arrival, call: call, bytes: bytes)
      state.projects[call.project, default: ProjectLog()].append(
        entry, bytes: bytes, machineTime: machineTime)
      state.bytes += bytes
      state.nextID += 1
      // Not each time: moving a thousand entries up costs more than a request.
      if state.nextID % Int64(Self.capacity) == 0 || state.bytes > mostBytes {
        trim(&state)
      }
      return entry.id
    }
  }

  /// Adds an explanation to a call that was noted before it was over. The first one stays.
  package func explain(_ id: Int64, of project: String, explanation: String) {
    guard explanation.utf8.count <= Self.longestExplanation else { return }
    state.withLock { state in
      guard let index = state.projects[project]?.entries.lastIndex(where: { $0.id == id }),
        state.projects[project]?.entries[index].call.explanation == nil
      else { return }
      let bytes = explanation.utf8.count
      state.projects[project]?.entries[index].call.explanation = explanation
      state.projects[project]?.entries[index].bytes += bytes
      state.projects[project]?.bytes += bytes
      state.bytes += bytes
      if state.bytes > mostBytes { trim(&state) }
    }
  }

  /// Adds to the lines of rules that were evaluated for a call which was noted before it was over.
  package func note(_ lines: EvaluatedLines, evaluatedBy id: Int64, of project: String) {
    state.withLock { state in
      guard let index = state.projects[project]?.entries.lastIndex(where: { $0.id == id }),
        var entry = state.projects[project]?.entries[index]
      else { return }
      let before = entry.call.evaluated.bytes
      entry.call.evaluated.add(lines)
      let bytes = entry.call.evaluated.bytes - before
      entry.bytes += bytes
      state.projects[project]?.entries[index] = entry
      state.projects[project]?.bytes += bytes
      state.bytes += bytes
      if state.bytes > mostBytes { trim(&state) }
    }
  }

  private func trim(_ state: inout State) {
    for project in Array(state.projects.keys) {
      let excess = (state.projects[project]?.entries.count ?? 0) - Self.capacity
      if excess > 0 { state.projects[project]?.removeFirst(excess) }
    }
    // Those that were quiet for longest go first.
    let quietest = state.projects.sorted { $0.value.lastID < $1.value.lastID }.map(\.key)
    for project in quietest.prefix(max(0, quietest.count - Self.mostProjects)) {
      state.projects[project] = nil
    }
    Self.count(&state)
    if state.bytes > mostBytes { makeRoom(&state) }
  }

  /// Each project may keep the same share; what some do not use is for the others. A little more is
  /// dropped than need be, so that it is not done for each call.
  private func makeRoom(_ state: inout State) {
    var room = mostBytes / 8 * 7
    let smallest = state.projects.sorted { $0.value.bytes < $1.value.bytes }.map(\.key)
    for (index, project) in smallest.enumerated() {
      let share = room / (smallest.count - index)
      while let log = state.projects[project], log.bytes > share {
        state.projects[project]?.removeFirst((log.entries.count + 7) / 8)
      }
      room -= state.projects[project]?.bytes ?? 0
    }
    Self.count(&state)
  }

  private static func count(_ state: inout State) {
    state.bytes = state.projects.values.reduce(0) { $0 + $1.bytes }
  }

  /// About what all entries take in memory.
  package var bytes: Int { state.withLock { $0.bytes } }

  package func clear(_ project: String) {
    state.withLock { state in
      let count = state.projects[project]?.entries.count ?? 0
      state.projects[project]?.removeFirst(count)
      Self.count(&state)
    }
  }

  /// The projects that apps have used, the latest first, with the machine's time of that.
  package func activity() -> [(project: String, time: Timestamp)] {
    state.withLock { state in
      state.projects.compactMap { project, log in log.activity.map { (project, $0) } }
    }
    .sorted { ($0.1.id, $0.1.time) > ($1.1.id, $1.1.time) }.map { ($0.0, $0.1.time) }
  }

  /// Notes that an app has used the project without a call of an API, as by a mail.
  package func noteActivity(of project: String, machineTime: Timestamp) {
    state.withLock { state in
      state.projects[project, default: ProjectLog()].activity = (state.nextID, machineTime)
    }
  }

  /// Forgets the project.
  package func forget(_ project: String) {
    state.withLock { state in
      state.projects[project] = nil
      Self.count(&state)
    }
  }

  /// The calls of a project with a higher number, oldest first.
  package func entries(of project: String, after last: Int64 = 0) -> [Entry] {
    state.withLock { state in
      guard let entries = state.projects[project]?.entries else { return [] }
      let start = entries.lastIndex { $0.id <= last }.map { $0 + 1 } ?? 0
      return Array(entries[start...].suffix(Self.capacity))
    }
  }

  /// The number of the latest call of a project; 0 if it has none.
  package func newest(of project: String) -> Int64 {
    state.withLock { $0.projects[project]?.lastID ?? 0 }
  }

  package func entry(_ id: Int64, of project: String) -> Entry? {
    state.withLock { $0.projects[project]?.entries.last { $0.id == id } }
  }
}

extension AnsweredCall {
  fileprivate var bytes: Int {
    var bytes = 768 + body.count + path.utf8.count + query.utf8.count + response.count
    bytes += (reason?.utf8.count ?? 0) + (resource?.utf8.count ?? 0)
    bytes += (explanation?.utf8.count ?? 0) + evaluated.bytes
    for header in headers { bytes += 64 + header.value.utf8.count }
    return bytes
  }
}
