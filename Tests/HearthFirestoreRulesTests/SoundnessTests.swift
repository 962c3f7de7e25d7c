import HearthCrypto
import HearthFirestoreRules
import HearthTestSupport
import Testing

/// What a query is granted must hold for each document that fulfils its constraints.
@Suite struct SoundnessTests {
  private static let constraints = [
    FieldConstraint(["owner"], condition: .equal("alice")),
    FieldConstraint(["one"], condition: .equal(.int(1))),
    FieldConstraint(["kind"], condition: .oneOf(["a", "b", .int(2)])),
    FieldConstraint(["n"], condition: .greaterThanOrEqual(.int(2))),
    FieldConstraint(["n"], condition: .lessThan(.int(6))),
    FieldConstraint(["tags"], condition: .arrayContains("a")),
    FieldConstraint(["roles", "x"], condition: .equal("r")),
    FieldConstraint(["state"], condition: .notEqual("b")),
  ]

  @Test(arguments: 0..<16) func `a granted query never returns a forbidden document`(
    _ seed: UInt64
  ) throws {
    var random = SplitMix(seed: seed)
    var grants = 0
    for _ in 0..<200 {
      let condition = condition(3, random: &random)
      let rules = try Ruleset(documents: "match /docs/{id} { allow list: if \(condition); }")
      let query = RuleQuery(.collection(["docs"]), where: Self.constraints)
      guard rules.permitsQuery(query, request: .map([:]), database: Documents()).isAllowed else {
        continue
      }
      grants += 1
      for _ in 0..<20 {
        let document = document(&random)
        let decision = rules.decides(.list, path: "docs/d", stored: document)
        #expect(decision == .allowed, "\(condition) on \(document)")
      }
    }
    #expect(grants > 5)
  }

  private func document(_ random: inout SplitMix) -> [String: RuleValue] {
    func any(_ values: RuleValue...) -> RuleValue { values.randomElement(using: &random) ?? .null }
    var document: [String: RuleValue] = [
      "owner": "alice", "one": any(.int(1), .float(1)), "kind": any("a", "b", .int(2), .float(2)),
      "n": any(.int(2), .float(2), .float(3.5), .int(5), .float(5.9)),
      "tags": any(.list(["a"]), .list(["a", "b"]), .list([.int(1), "a"])),
      "roles": any(.map(["x": "r"]), .map(["x": "r", "y": "a"])),
      "state": any("a", .int(1), .bool(true), .list([])),
    ]
    if Bool.random(using: &random) { document["free"] = any(.null, .int(1), "a", .bool(true)) }
    return document
  }

  private func condition(_ depth: Int, random: inout SplitMix) -> String {
    func any(_ words: [String]) -> String { words.randomElement(using: &random) ?? "" }
    let fields = ["owner", "one", "kind", "n", "tags", "roles", "roles.x", "state", "free"]
    var field: String { "resource.data." + any(fields) }
    var value: String {
      any([
        "1", "1.0", "2", "5", "6", "'a'", "'b'", "'alice'", "null", "true", "['a', 'b', 2]", "'r'",
        field,
      ])
    }
    guard depth > 0 else {
      switch Int.random(in: 0..<7, using: &random) {
      case 0:
        return "\(field) is \(any(["int", "float", "number", "string", "list", "map", "vector"]))"
      case 1: return "\(value) in \(any([field, "resource.data", "['a', 2]"]))"
      case 2: return "\(field).\(any(["hasAny", "hasAll", "hasOnly"]))(['a', 'b'])"
      case 3: return "resource.data.get(\(any(fields.map { "'\($0)'" })), 1) == \(value)"
      case 4: return "string(\(field)) == \(any(["'1'", "'a'", "'alice'"]))"
      case 5:
        let keys = any(["['owner', 'n']", "['owner', 'free']", "['free']", "['x']"])
        let map = any(["resource.data", "resource.data.roles"])
        return "\(map).keys().\(any(["hasAny", "hasAll", "hasOnly"]))(\(keys))"
      default: return "\(field) \(any(["==", "!=", "<", "<=", ">", ">="])) \(value)"
      }
    }
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return "!(\(condition(depth - 1, random: &random)))"
    case 1:
      let (a, b, c) = (
        condition(depth - 1, random: &random), condition(depth - 1, random: &random),
        condition(depth - 1, random: &random)
      )
      return "((\(a)) ? (\(b)) : (\(c)))"
    case 2: return condition(0, random: &random)
    default:
      let (a, b) = (condition(depth - 1, random: &random), condition(depth - 1, random: &random))
      return "(\(a)) \(any(["&&", "||"])) (\(b))"
    }
  }
}
