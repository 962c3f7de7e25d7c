import HearthFirestore
import HearthFirestoreProtos
import HearthWire
import SwiftProtobuf
import Testing

/// A listener hears of nothing that it may not read any more.
@Suite(.timeLimit(.minutes(30))) struct `A listener under rules` {
  private static let rules = """
    match /own/{x} { allow read: if resource.data.owner == request.auth.uid; }
    match /group/{x} { allow read: if get(/databases/$(d)/documents/members/alice).data.isIn == 1; }
    match /members/{x} { allow read: if false; }
    match /open/{x} { allow read: if true; }
    """
  private static let alice = FirestoreCaller.user(JSONObject(members: [("sub", "alice")]))

  private let rig: Rig

  init() async throws {
    rig = try Rig()
    try rig.set(rules: Self.rules)
    try await rig.set([
      "own/a": ["owner": "alice"], "own/b": ["owner": "alice"], "open/a": ["n": 1],
      "group/a": ["n": 1], "members/alice": ["isIn": 1],
    ])
  }

  /// A stream that has these targets, and knows what is there.
  private func listening(
    _ targets: [Target], as caller: FirestoreCaller = alice, count: Int = 4
  ) async -> Listening {
    var listening = Listening(rig, as: caller)
    for target in targets {
      listening.add(target)
      for _ in 0..<count { _ = await listening.next() }
    }
    return listening
  }

  @Test func `loses a document that is somebody else's now, and only that`() async throws {
    var listening = await listening([
      .documents(2, paths: ["own/a"]), .documents(4, paths: ["open/a"]),
    ])
    try await rig.set(["own/a": ["owner": "bob", "secret": "x"]])
    await listening.expectRefusal(2)
    // Not told again, and the other target goes on.
    try await rig.set(["own/a": ["owner": "bob", "secret": "y"], "open/a": ["n": 2]])
    let next = await listening.next()?.documentChange
    #expect(next?.document.name == name("open/a") && next?.targetIds == [4])
    _ = await listening.next()
    try await rig.set(["own/a": ["owner": "alice"]])
    listening.add(.documents(2, paths: ["own/a"]))
    #expect(await listening.next()?.targetChange.targetChangeType == .add)
    #expect(await listening.next()?.documentChange.document.name == name("own/a"))
    try await listening.end()
  }

  @Test func `loses a target of which one document may not be read`() async throws {
    var listening = await listening([.documents(2, paths: ["own/a", "own/b"])], count: 5)
    try await rig.set(["own/b": ["owner": "bob"]])
    await listening.expectRefusal(2)
    try await listening.end()
  }

  @Test func `is judged by new rules at once`() async throws {
    var listening = await listening([
      .documents(2, paths: ["own/a"]), .query(4, query: .of("open")),
    ])
    try rig.set(rules: Self.rules.replacing("if true", with: "if request.auth == null"))
    await listening.expectRefusal(4)
    try await rig.set(["open/a": ["n": 2], "own/a": ["owner": "alice", "n": 2]])
    #expect(await listening.next()?.documentChange.targetIds == [2])
    try await listening.end()
  }

  @Test(arguments: [Target.documents(2, paths: ["group/a"]), .query(2, query: .of("group"))])
  func `is judged again when a document changes that its rule has looked up`(
    target: Target
  ) async throws {
    var listening = await listening([target])
    try await rig.set(["members/alice": ["isIn": 1, "since": 1], "group/a": ["n": 2]])
    #expect(await listening.next()?.documentChange.document.fields["n"] == 2)
    _ = await listening.next()
    try await rig.set(["members/alice": ["isIn": 0]])
    await listening.expectRefusal(2)
    try await listening.end()
  }

  @Test func `never hears of what was written after it lost the right`() async throws {
    var listening = await listening([.query(2, query: .of("group"))])
    _ = try await rig.commit([
      .set("group/a", fields: ["secret": "x"]), .set("members/alice", fields: ["isIn": 0]),
    ])
    await listening.expectRefusal(2)
    try await listening.end()
  }

  @Test func `hears everything as an owner`() async throws {
    var listening = await listening([.documents(2, paths: ["own/a"])], as: .owner)
    try await rig.set(["own/a": ["owner": "bob"]])
    #expect(await listening.next()?.documentChange.document.fields["owner"] == "bob")
    try await listening.end()
  }

  @Test func `gets ids for targets without one`() async throws {
    var listening = await listening([.documents(10, paths: ["open/a"])])
    for expected: Int32 in [11, 12] {
      listening.add(.documents(0, paths: ["open/a"]))
      #expect(await listening.next()?.targetChange.targetIds == [expected])
      for _ in 0..<3 { _ = await listening.next() }
    }
    try await listening.end()
  }
}

extension Listening {
  mutating func expectRefusal(
    _ id: Int32, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let change = await next()?.targetChange
    #expect(change?.targetChangeType == .remove, sourceLocation: sourceLocation)
    #expect(change?.targetIds == [id], sourceLocation: sourceLocation)
    #expect(change?.cause.code == 7, sourceLocation: sourceLocation)
  }
}
