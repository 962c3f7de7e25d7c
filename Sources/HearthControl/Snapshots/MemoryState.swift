import HearthFirestore
import HearthObservation
import HearthOperations
import HearthTime
import HearthWire

/// What a snapshot holds of a project that is not in the store: its clock, its faults, and the rules
/// and indexes that were set for it.
struct MemoryState {
  let json: JSON

  /// What is there now. The fence is the row that the snapshot has among the documents.
  init(
    of project: String, server: ServerFacts, faults: Faults, firestore: Firestore,
    fence: Int64
  ) {
    let clock = server.clocks.setting(of: project)
    json = .members([
      "fence": .int(fence),
      "clock": .members([
        "offset": .int(clock.offset), "stopped": clock.stopped.map { .int($0.milliseconds) },
      ]),
      "faults": faults.state(of: project),
      "rules": firestore.rulesState(of: project),
      "indexes": firestore.indexesState(of: project),
    ])
  }

  init(_ text: String) { json = (try? JSON.parse(text)) ?? .null }

  var fence: Int64 { json["fence"]?.integer ?? 0 }

  func restore(
    _ project: String, server: ServerFacts, faults: Faults, firestore: Firestore,
    keepsClock: Bool
  ) {
    if !keepsClock { server.clocks.restore(clock, of: project) }
    faults.restore(json["faults"] ?? .null, of: project)
    firestore.restoreRules(json["rules"] ?? .null, of: project)
    firestore.restoreIndexes(json["indexes"] ?? .null, of: project)
  }

  private var clock: ProjectClocks.Setting {
    var setting = ProjectClocks.Setting()
    setting.offset = json["clock"]?["offset"]?.integer ?? 0
    setting.stopped = json["clock"]?["stopped"]?.integer.map(Timestamp.init(milliseconds:))
    return setting
  }
}
