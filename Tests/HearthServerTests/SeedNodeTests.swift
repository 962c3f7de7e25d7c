import HearthYAML
import Testing

@testable import HearthSeeds
@testable import HearthServer

@Suite struct `A value of a seed` {
  @Test func `knows its line`() throws {
    let node = try YAMLReader.read("a:\n  b:\n    - 1\n    - c: 2\n".utf8)
    let root = SeedNode(value: node, path: [])
    #expect(root.fault("", at: "/a/b/1/c").line == 4)
    #expect(root.fault("", at: "/a/b/0").line == 3)
    #expect(root.fault("", at: "/a/x").line == 1)
  }
}
