import Foundation
import HearthFirestoreProtos
import HearthOperations
import HearthTestSupport
import SwiftProtobuf
import Testing

@testable import HearthFirestore

/// Resumed listeners of projects that answer as production does.
@Suite(.timeLimit(.minutes(30))) struct `Filters of names` {
  private static let query = StructuredQuery.of("c").filtered(by: .field("g", op: .equal, value: 1))

  private func rig(_ answers: Switches.Program, bytes: Int = 64 << 20) async throws -> Rig {
    var bounds = HistoryBounds()
    bounds.bytes = bytes
    let rig = try Rig(history: bounds) { $0.answers = answers }
    for id in ["a", "b", "c"] { try await rig.set(["c/\(id)": ["g": 1]]) }
    return rig
  }

  /// What a stream tells of the target, up to its snapshot.
  private func told(
    _ rig: Rig, after token: Data = Data(), expecting count: Int32? = nil,
    query: StructuredQuery = query
  ) async throws -> (words: [String], token: Data, filter: Google_Firestore_V1_ExistenceFilter?) {
    var listening = Listening(rig)
    var target = Target.query(2, query: query, after: token)
    if let count { target.expectedCount.value = count }
    listening.add(target)
    var words: [String] = []
    var filter: Google_Firestore_V1_ExistenceFilter?
    while let response = await listening.next() {
      switch response.responseType {
      case .targetChange(let change)?:
        if words.contains("current"), change.targetChangeType == .noChange {
          try await listening.end()
          return (words.filter { $0 != "noChange" }, change.resumeToken, filter)
        }
        words.append("\(change.targetChangeType)")
      case .documentChange(let change)?:
        let id = change.document.name.suffix(1)
        words.append(change.targetIds.isEmpty ? "left \(id)" : "shows \(id)")
      case .documentDelete(let change)?: words.append("deleted \(change.document.suffix(1))")
      case .documentRemove(let change)?: words.append("left \(change.document.suffix(1))")
      case .filter(let found)?:
        words.append("filter \(found.count)")
        filter = found
      default: break
      }
    }
    Issue.record("the stream ended")
    return (words, Data(), nil)
  }

  private func change(_ rig: Rig) async throws {
    _ = try await rig.commit([.delete("c/b")])
    try await rig.set(["c/c": ["g": 2]])
  }

  @Test func `stand for what has left where the client does not say what it expects`() async throws
  {
    let rig = try await rig(.production)
    let token = try await told(rig).token
    #expect(try await told(rig, after: token).words == ["add", "filter 3", "current"])
    try await change(rig)
    let answer = try await told(rig, after: token)
    #expect(answer.words == ["add", "filter 1", "current"])
    #expect(answer.filter?.hasUnchangedNames == true && answer.filter?.targetID == 2)
    #expect(answer.filter?.unchangedNames == .init())
    let expecting = try await told(rig, after: token, expecting: 3)
    #expect(expecting.words == ["add", "deleted b", "left c", "current"])
  }

  @Test func `follow what has changed`() async throws {
    let rig = try await rig(.production)
    let token = try await told(rig).token
    try await rig.set(["c/d": ["g": 1]])
    let silent = try await told(rig, after: token)
    #expect(silent.words == ["add", "shows d", "filter 4", "current"])
    #expect(silent.filter?.unchangedNames == .init())
    for count: Int32 in [3, 4] {
      let answer = try await told(rig, after: token, expecting: count)
      #expect(answer.words == silent.words)
      #expect(answer.filter?.unchangedNames.bits.bitmap.isEmpty == false)
    }
    // The token of another query: the client learns that it has what this one does not find.
    let other = StructuredQuery.of("c").filtered(by: .field("g", op: .equal, value: 9))
    #expect(
      try await told(rig, after: token, query: other).words == ["add", "filter 0", "current"])
  }

  @Test func `stand for what has left where a client comes back late`() async throws {
    let rig = try await rig(.production)
    let token = try await told(rig).token
    try await change(rig)
    rig.clock.advance(by: .seconds(10))
    let answer = try await told(rig, after: token, expecting: 3)
    #expect(answer.words == ["add", "filter 1", "current"])
    #expect(answer.filter?.unchangedNames == NameFilter.message(of: [name("c/a")]))
  }

  @Test func `are not sent by the official emulator`() async throws {
    let rig = try await rig(.emulator)
    let token = try await told(rig).token
    try await change(rig)
    #expect(
      try await told(rig, after: token).words == ["add", "deleted b", "left c", "current"])
  }

  @Test func `tell what is left where the history is forgotten`() async throws {
    let rig = try await rig(.production, bytes: 1000)
    let token = try await told(rig).token
    try await change(rig)
    for number in 0..<100 { try await rig.set(["other/\(number)": ["n": 1]]) }
    try await rig.set(["c/d": ["g": 1]])
    for number in 0..<100 { try await rig.set(["other/\(number)": ["n": 2]]) }
    let answer = try await told(rig, after: token, expecting: 3)
    #expect(answer.words == ["add", "shows d", "filter 2", "current"])
    var expected = NameFilter(bits: 39, hashes: 13)
    for id in ["a", "d"] { expected.insert("\(Rig.database.documents)/c/\(id)") }
    #expect(answer.filter?.unchangedNames == expected.message)
    #expect(answer.filter?.unchangedNames.bits.padding == 1)
    let silent = try await told(rig, after: token)
    #expect(silent.words == answer.words && silent.filter?.unchangedNames == .init())
    // Of a window nobody knows what has moved into it.
    let window = try await told(rig, after: token, expecting: 2, query: Self.query.limited(to: 2))
    #expect(window.words == ["add", "reset", "shows a", "shows d", "current"])
    try await rig.firestore.clear(Rig.database)
    #expect(try await told(rig, after: token, expecting: 3).words == ["add", "reset", "current"])
  }

  /// From the public tests of Google's SDKs.
  private static let known: [(names: Int, bits: Int, hashes: Int, bitmap: String)] = [
    (1, 11, 8, "mwE="),
    (
      500, 4793, 7,
      "n+36qf4UgWXLxRabHwqwva8jpXlZ7yfdCjRNwHQ5MBmgc35tGNWFvTgrWyfmznuz1j0wMabH29pR84MjjWGgAxLh"
        + "DXU3dyYTY505812+BYTO5GXEAyGoUZhcBlUZPK+RAqSZ+9e3q9Gxpmoes/4iCbxJFc5eew0+95v5Z0h5fvlF2Y9i"
        + "RBDu2PWC1pVGuc/j3W+34+5IwPtDLPbtfvYhnohTfXP02vsf2/77YqEtfmMVFfIMZJ5e7uLOA+rcmQC5fFfxjubJ"
        + "fKR5R+Rzw/UWd0Eg3gi+FCUIk/WUP5938R4tPH3fnrtQjclvsZhtj5dak7WWw1Ph4ZFdJE2XdFBH1JSvggI5tFKH"
        + "5WUeIBlHYj+V3HomQ2gDrwMXGsIJokcwQi1qTUjECnwYGlOl/FRjZQg7h3QoSkyxgBnp6w7XKttc/EJf+279WLkv"
        + "m6K/sTuQiFsOGqdQQ+c6osu9SzICn7Rtu4+RzmfxgCx1i2rX1OvVt+DLWa8/K5TlLvVM7GqXiHeaLuvkaz4uR754"
        + "T1Iurp8/Ps2yJdXYHLyGndJa+7DJ1BPsGK8ZYbYFN7jGamHF9de+3K/syp1raDltsNUxUGAaMBghK1nIRDtHLSHB"
        + "tVkuxvUkP3iVIkm6pEp0K/2npYUEAsbYVkug4Iv7qhnLTGwMUXP3piTMySLLoZ9bGY0k13FMX7h/s79dJDcIIf4f"
        + "R9S0SN6fWXKdZOBLFzyXGcxbD+o0o3NO/UOZDgmTet2or8rvipr4tGDyGluUnW1o/fWPlGvEIo/7Ep6avGyw7jil"
        + "LKYiunAA"
    ),
  ]

  @Test(arguments: known)
  func `have the bits that SDKs look for`(
    names: Int, bits: Int, hashes: Int, bitmap: String
  ) {
    var filter = NameFilter(bits: bits, hashes: hashes)
    for number in 0..<names {
      filter.insert("projects/project-1/databases/database-1/documents/coll/doc\(number)")
    }
    #expect(filter.message.bits.bitmap.base64EncodedString() == bitmap)
    #expect(Int(filter.message.bits.padding) == (8 - bits % 8) % 8)
    #expect(Int(filter.message.hashCount) == hashes)
  }
}
