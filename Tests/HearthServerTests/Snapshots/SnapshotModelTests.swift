import HearthTestSupport
import HearthWire
import Testing

/// Random operations on two projects, with several snapshots of each: whatever is restored is what a
/// dump has kept, and the other project stays as it is.
@Suite(.timeLimit(.minutes(30))) struct `Snapshots of random states` {
  private struct Dice {
    var state: UInt64

    mutating func roll(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(count))
    }
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `are restored as they were`(seed: UInt64) async throws {
    try await TestServer.open { server in
      var dice = Dice(state: seed)
      let projects = ["demo-one", "demo-two"].map { SnapshotProject(server: server, id: $0) }
      var kept: [String: [(name: String, dump: String)]] = [:]
      for step in 0..<120 {
        let project = projects[dice.roll(2)]
        var known = kept[project.id] ?? []
        switch dice.roll(24) {
        case 0, 1:
          let name = "s\(step)"
          try await project.save(name)
          known.append((name, try await project.dump()))
        case 2, 3, 4, 5:
          guard !known.isEmpty else { continue }
          let other = projects.first { $0.id != project.id } ?? project
          let before = try await other.dump()
          let chosen = known[dice.roll(known.count)]
          try await project.restore(chosen.name)
          #expect(try await project.dump() == chosen.dump, "step \(step), seed \(seed)")
          #expect(try await other.dump() == before, "step \(step), seed \(seed)")
        case 6:
          guard !known.isEmpty else { continue }
          let index = dice.roll(known.count)
          let before = try await project.dump()
          try await project.snapshots("DELETE", rest: "/\(known[index].name)")
          known.remove(at: index)
          #expect(try await project.dump() == before, "step \(step), seed \(seed)")
        case 7:
          guard !known.isEmpty else { continue }
          let chosen = known[dice.roll(known.count)]
          let before = try await project.dump()
          let copy = SnapshotProject(server: server, id: "demo-copy-\(step)")
          try await project.snapshots(
            "POST", rest: "/\(chosen.name):fork", body: ["to": .string(copy.id)])
          #expect(try await project.dump() == before, "step \(step), seed \(seed)")
          let found = try await copy.dump(isForked: true)
          #expect(found == Self.withoutIds(chosen.dump), "step \(step), seed \(seed)")
        case let operation: try await Self.change(project, operation: operation, dice: &dice)
        }
        kept[project.id] = known
      }
    }
  }

  /// Mails of a fork have ids of their own.
  private static func withoutIds(_ dump: String) -> String {
    dump.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.hasPrefix("mail ") ? line[...(line.lastIndex(of: " ") ?? line.startIndex)] : line
    }.joined(separator: "\n")
  }

  private static func change(
    _ project: SnapshotProject, operation: Int, dice: inout Dice
  ) async throws {
    let path = ["a/1", "a/2", "a/3", "b/1", "b/1/c/1", "b/2/c/1", "c/9"][dice.roll(7)]
    let email = "user\(dice.roll(6))@example.com"
    switch operation {
    case 8, 9, 10, 11, 12:
      try await project.set(path, value: "value \(dice.roll(1000))")
    case 13: try await project.set(path, value: "\(dice.roll(1000))", database: "second")
    case 14, 15: try await project.delete(path)
    case 16: try await project.clearDocuments()
    case 17: try await project.clearDocuments(database: "second")
    case 18, 19:
      _ = try await project.signUp(email)
    case 20:
      if try await project.signIn(email).status == 200 {
        try await project.sendResetCode(to: email)
      }
    case 21: try await project.clearAccounts()
    case 22:
      try await project.control(
        "PATCH", rest: "switches",
        body: ["passwordResetCodeLifetime": .int(Int64(1 + dice.roll(1000)))])
    default: try await project.control("PATCH", rest: "clock", body: ["advance": "1m"])
    }
  }
}
