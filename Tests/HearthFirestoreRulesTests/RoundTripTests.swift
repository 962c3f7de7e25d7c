import Testing

@testable import HearthFirestoreRules

/// Rules that are written from random trees, with as few parentheses as they need and with all.
@Suite struct RoundTripTests {
  @Test(arguments: UInt64(0)..<60) func `a file is read as what it was written from`(
    _ seed: UInt64
  ) throws {
    let file = RandomFile(seed: seed)
    for source in [file.text, file.full] {
      let trees = SyntaxTrees(declarations: try Parser.parse(source))
      #expect(trees.blocks == file.blocks, "\(source)")
      #expect(trees.functions == file.functions, "\(source)")
    }
  }

  @Test(arguments: UInt64(100)..<116) func `parentheses that change nothing change nothing`(
    _ seed: UInt64
  ) throws {
    var syntax = RandomSyntax(seed: seed)
    var around = Surroundings()
    around.variables = [
      "uid": "", "request.auth": "", "resource.data": "", "request.time": "", "resource.data.n": "",
    ]
    for _ in 0..<60 {
      let condition = syntax.expression(4, around: around)
      let decisions = try [condition.text, condition.full].map { text in
        let rules = try Ruleset(documents: "match /users/{uid} { allow read, write: if \(text); }")
        return RuleMethod.allCases.map { method in
          rules.allows(
            method, path: "users/a", stored: ["n": .int(1), "name": "x"],
            request: Request(data: ["x": .null]))
        }
      }
      #expect(decisions[0] == decisions[1], "\(condition.text)")
    }
  }
}
