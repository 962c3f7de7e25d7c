import HearthFirestoreProtos
import Synchronization

/// A commit as listeners hear of it.
struct LoggedCommit: Sendable {
  /// Its place among the commits of its database.
  let sequence: Int
  /// In microseconds.
  let time: Int64
  let effects: [DocumentEffect]
  private let places: EffectPlaces

  init(sequence: Int, time: Int64, effects: [DocumentEffect], counting steps: ListenSteps) {
    self.sequence = sequence
    self.time = time
    self.effects = effects
    places = EffectPlaces(effects, counting: steps)
    steps.add(effects.count)
  }

  /// The changes of these documents, in their order. It takes as long as there are documents, and
  /// not as there are changes: many listeners of one document each ask about a large commit.
  func effects(of paths: some Sequence<ResourcePath>) -> [DocumentEffect] {
    var found = paths.flatMap { places.all(of: $0, in: effects) }
    if found.count > 1 { found.sort() }
    return found.map { effects[$0] }
  }

  func changes(_ path: ResourcePath) -> Bool { !places.all(of: path, in: effects).isEmpty }
}

/// How much listeners do to follow commits: changes that were decoded for one of them, and those
/// that were looked at to find the ones of a document. Unlike a time it is the same on every machine.
///
/// A class, because all listeners of a database count together.
final class ListenSteps: Sendable {
  private let steps = Atomic(0)

  var count: Int { steps.load(ordering: .relaxed) }

  func add(_ count: Int) { steps.wrappingAdd(count, ordering: .relaxed) }
}

/// Where a commit has the changes of a document.
private struct EffectPlaces: Sendable {
  /// Fewer changes are looked at one after the other.
  private static let few = 8

  /// The first change of each document; nil where there are few.
  private let first: [ResourcePath: Int]?
  /// The changes of documents that have several.
  private let others: [ResourcePath: [Int]]
  private let steps: ListenSteps

  init(_ effects: [DocumentEffect], counting steps: ListenSteps) {
    self.steps = steps
    guard effects.count > Self.few else {
      (first, others) = (nil, [:])
      return
    }
    var first: [ResourcePath: Int] = [:]
    var others: [ResourcePath: [Int]] = [:]
    first.reserveCapacity(effects.count)
    for (place, effect) in effects.enumerated() {
      if first[effect.path] == nil {
        first[effect.path] = place
      } else {
        others[effect.path, default: []].append(place)
      }
    }
    (self.first, self.others) = (first, others)
  }

  func all(of path: ResourcePath, in effects: [DocumentEffect]) -> [Int] {
    guard let first else {
      steps.add(effects.count)
      return effects.indices.filter { effects[$0].path == path }
    }
    steps.add(1)
    return first[path].map { [$0] + (others[path] ?? []) } ?? []
  }
}

/// What the log keeps of a change. Documents that nobody is likely to read soon are kept in their
/// encoded form: that takes a fraction of the memory.
struct LoggedEffect: Sendable {
  let path: ResourcePath
  let kind: DocumentEffect.Kind
  private(set) var before: LoggedDocument?
  private(set) var after: LoggedDocument?

  init(_ effect: DocumentEffect) {
    path = effect.path
    kind = effect.kind
    before = effect.before.map { .decoded($0) }
    after = effect.after.map { .decoded($0) }
  }

  /// What is counted for the change itself: its path, and its place in arrays.
  private static let overhead = 300

  var bytes: Int { Self.overhead + (before?.bytes ?? 0) + (after?.bytes ?? 0) }

  mutating func pack() {
    before = before?.packed
    after = after?.packed
  }

  /// Nil when it cannot be decoded.
  var effect: DocumentEffect? {
    guard let before = Self.unpacked(before, path: path),
      let after = Self.unpacked(after, path: path)
    else {
      return nil
    }
    return DocumentEffect(path: path, before: before, after: after, kind: kind)
  }

  /// What stood there before. Nil when it cannot be decoded.
  var stateBefore: StoredDocument?? { Self.unpacked(before, path: path) }

  private static func unpacked(
    _ document: LoggedDocument?, path: ResourcePath
  ) -> StoredDocument?? {
    guard let document else { return .some(nil) }
    return document.stored(at: path).map { .some($0) }
  }
}

/// Its path is that of the change, and is not kept twice. Times are in microseconds.
enum LoggedDocument: Sendable {
  case decoded(StoredDocument)
  case encoded([UInt8], createTime: Int64, updateTime: Int64)

  /// About the memory that it takes.
  var bytes: Int {
    switch self {
    // A value takes more than what it stores.
    case .decoded(let document): 200 + 2 * document.fields.storageSize
    case .encoded(let data, _, _): 64 + data.count
    }
  }

  var packed: LoggedDocument {
    guard case .decoded(let document) = self,
      let data = try? StoredDocument.data(of: document.fields)
    else { return self }
    return .encoded(data, createTime: document.createTime, updateTime: document.updateTime)
  }

  func stored(at path: ResourcePath) -> StoredDocument? {
    switch self {
    case .decoded(let document): document
    case .encoded(let data, let createTime, let updateTime):
      (try? StoredDocument.fields(of: data)).map {
        StoredDocument(path: path, fields: $0, createTime: createTime, updateTime: updateTime)
      }
    }
  }
}
