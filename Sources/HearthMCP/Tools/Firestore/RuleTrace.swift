import HearthWire

/// How rules came to their answer, in the few lines that tell why.
struct RuleTrace {
  private static let most = 12
  private static let longest = 300

  /// From the answer of `rules:evaluate`, or the `rule` of a logged request.
  static func allows(_ json: JSON) -> JSON {
    let allows = json["allows"]?.array ?? []
    return .array(
      allows.prefix(most).map { allow in
        .members([
          "at": .string(place(allow)), "source": text(allow["source"]),
          "outcome": allow["outcome"], "because": .array(allow["tree"].map(reasons) ?? []),
        ])
      })
  }

  static func reads(_ json: JSON) -> JSON? {
    guard let reads = json["reads"]?.array, !reads.isEmpty else { return nil }
    return .array(Array(reads.prefix(most)))
  }

  static func place(_ json: JSON) -> String {
    let file = json["file"]?.string ?? "rules"
    return "\(file):\(json["line"]?.integer ?? 0):\(json["column"]?.integer ?? 0)"
  }

  /// The smallest parts of a condition that were false or failed, with the values in them.
  private static func reasons(_ tree: JSON) -> [JSON] {
    var found: [JSON] = []
    _ = collect(tree, into: &found)
    return Array(found.prefix(most))
  }

  /// Whether the tree has a reason.
  private static func collect(_ tree: JSON, into found: inout [JSON]) -> Bool {
    guard tree["evaluated"]?.bool == true else { return false }
    let children = tree["children"]?.array ?? []
    var isInside = false
    for child in children where collect(child, into: &found) { isInside = true }
    if isInside { return true }
    let isFalse = tree["type"]?.string == "bool" && tree["value"]?.string == "false"
    guard isFalse || tree["error"] != nil else { return false }
    // A field that is false explains less than the comparison around it.
    guard !children.isEmpty || tree["error"] != nil else { return false }
    let values = children.filter { $0["evaluated"]?.bool == true && !isLiteral($0) }
      .map { (key: $0["source"]?.string ?? "", value: text($0["value"] ?? $0["error"]) ?? .null) }
    found.append(
      .members([
        "expression": text(tree["source"]), "value": text(tree["value"]),
        "error": text(tree["error"]),
        "with": values.isEmpty ? nil : .object(JSONObject(members: values)),
      ]))
    return true
  }

  private static func isLiteral(_ tree: JSON) -> Bool { tree["source"] == tree["value"] }

  private static func text(_ json: JSON?) -> JSON? {
    guard let json else { return nil }
    return .string((json.string ?? json.text).shortened(to: longest))
  }
}
