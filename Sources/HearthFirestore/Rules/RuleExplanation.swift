import HearthFirestoreRules
import HearthWire

/// Writes how rules came to a decision as JSON, with the parts of the source. It holds a copy of
/// the source as scalars, and is made for one answer.
struct RuleExplanation {
  /// In scalars: an explanation quotes parts that lie within each other, so their lengths add up.
  private static let longestSource = 200

  private let files: [Source]

  /// A file, with what finds a place in it. Lines and columns begin with 1 and count Unicode
  /// scalars, so the source is kept as scalars.
  private struct Source {
    let name: String
    let scalars: [Unicode.Scalar]
    /// The offset of each line.
    let starts: [Int]

    /// The offset of a place, which is never beyond the end of the file.
    func offset(_ line: Int, column: Int) -> Int {
      min(starts.indices.contains(line - 1) ? starts[line - 1] + column - 1 : 0, scalars.count)
    }

    func text(_ range: RuleTrace.Range) -> String {
      let start = offset(range.line, column: range.column)
      let end = max(start, offset(range.endLine, column: range.endColumn))
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars[start..<min(end, start + longestSource)])
      return String(text) + (end - start > longestSource ? "…" : "")
    }

    func json(_ range: RuleTrace.Range) -> JSON {
      .members([
        "start": place(range.line, column: range.column),
        "end": place(range.endLine, column: range.endColumn),
      ])
    }

    private func place(_ line: Int, column: Int) -> JSON {
      .members([
        "line": .int(Int64(line)), "column": .int(Int64(column)),
        "offset": .int(Int64(offset(line, column: column))),
      ])
    }
  }

  init(_ ruleset: Ruleset) {
    files = ruleset.parts.map { part in
      Source(
        name: part.file.name ?? RuleFile.standardName,
        scalars: Array(part.file.content.unicodeScalars), starts: part.file.content.lineStarts)
    }
  }

  /// The `allow`s that were tried, and the documents that were looked up.
  func json(_ trace: RuleTrace) -> JSON {
    .members([
      "matched": trace.allows.first(where: \.isGranted).map(place),
      "allows": .array(trace.allows.map(json)),
      "reads": .array(
        trace.reads.map { read in
          .members([
            "path": .string(read.path), "kind": .string(read.kind), "found": .bool(read.isFound),
            "line": .int(Int64(read.line)),
          ])
        }),
    ])
  }

  private func place(_ allow: RuleTrace.Allow) -> JSON {
    .members([
      "file": .string(files[allow.part].name), "line": .int(Int64(allow.range.line)),
      "column": .int(Int64(allow.range.column)),
    ])
  }

  private func json(_ allow: RuleTrace.Allow) -> JSON {
    let file = files[allow.part]
    // Only `false` is a decision. Every other reason is an error of the condition, which refuses as
    // well.
    let isFalse = allow.reason?.message == "false"
    let refusal = allow.isGranted ? nil : allow.condition.map { RefusalReason($0, text: file.text) }
    return .members([
      "file": .string(file.name), "line": .int(Int64(allow.range.line)),
      "column": .int(Int64(allow.range.column)), "range": file.json(allow.range),
      "source": .string(file.text(allow.range)),
      "outcome": .string(allow.isGranted ? "true" : isFalse ? "false" : "error"),
      "message": allow.reason.map { .string($0.message) },
      "because": refusal.map { .string($0.sentence) },
      "guilty": refusal.map { file.json($0.guilty.range) },
      "tree": allow.condition.map { json($0, file: file) },
    ])
  }

  private func json(_ node: RuleTrace.Node, file: Source) -> JSON {
    var object = JSONObject([
      "range": file.json(node.range), "source": .string(file.text(node.range)),
    ])
    object.append("evaluated", value: .bool(node.outcome != .notEvaluated))
    switch node.outcome {
    case .value(let value, let type):
      object.append("value", value: .string(value))
      object.append("type", value: .string(type))
    case .open(let text): object.append("value", value: .string(text))
    case .failure(let message): object.append("error", value: .string(message))
    case .notEvaluated: break
    }
    object.append("children", value: .array(node.children.map { json($0, file: file) }))
    return .object(object)
  }

  // MARK: Coverage

  /// Each file with its expressions and lines, and how often each value came out. The ruleset must
  /// be the one that this was made of.
  func coverage(of ruleset: Ruleset) -> JSON {
    .members([
      "files": .array(
        zip(ruleset.parts, files).map { part, file in
          let nodes = part.coverage
          return .members([
            "name": .string(file.name), "content": .string(part.file.content),
            "nodes": .array(nodes.map { json($0, file: file) }), "lines": Self.lines(nodes),
          ])
        })
    ])
  }

  private func json(_ node: RuleCoverage.Node, file: Source) -> JSON {
    .members([
      "range": file.json(node.range), "isAllow": .bool(node.isAllow),
      "counts": .array(
        node.counts.map { outcome, count in
          .members(["value": .string(outcome.word), "count": .int(Int64(count))])
        }),
      "children": .array(node.children.map { json($0, file: file) }),
    ])
  }

  /// Of each line the expression that is evaluated first: an `allow`, where there is one.
  private static func lines(_ nodes: [RuleCoverage.Node]) -> JSON {
    var lines: [Int: RuleCoverage.Node] = [:]
    func add(_ node: RuleCoverage.Node) {
      if lines[node.range.line] == nil { lines[node.range.line] = node }
      node.children.forEach(add)
    }
    nodes.forEach(add)
    return .array(
      lines.sorted { $0.key < $1.key }.map { line, node in
        .members([
          "line": .int(Int64(line)),
          "hits": .int(Int64(node.counts.reduce(0) { $0 + $1.count })),
          "values": .object(
            JSONObject(
              members: node.counts.map { ($0.outcome.word, .int(Int64($0.count))) })),
        ])
      })
  }
}

extension RuleCoverage.Outcome {
  package var word: String {
    switch self {
    case .bool(let value): value ? "true" : "false"
    case .other(let type): type
    case .failure: "failed"
    case .undecided: "open for a query"
    }
  }
}
