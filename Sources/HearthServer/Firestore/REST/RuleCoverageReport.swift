import HearthFirestore
import HearthFirestoreRules
import HearthPages
import HearthWire

/// What the requests so far had of a project's rules, as the official emulator tells it: each
/// expression with the values that came out and how often.
extension Firestore {
  /// The report as JSON; lines and columns begin with 1, offsets with 0. Counts begin again when
  /// rules are set.
  func ruleCoverage(of project: String) -> JSON {
    guard let ruleset = rules.ruleset(of: project) else { return ["rules": [:], "report": []] }
    let files = ruleset.parts.map { part in
      RuleFile(name: part.file.name ?? RuleFile.standardName, content: part.file.content)
    }
    return .members([
      "rules": Self.files(files),
      "report": .array(
        ruleset.parts.flatMap { part in
          let starts = part.file.content.lineStarts
          let name = part.file.name ?? RuleFile.standardName
          return part.coverage.map { Self.json($0, name: name, starts: starts) }
        }),
    ])
  }

  private static func json(_ node: RuleCoverage.Node, name: String, starts: [Int]) -> JSON {
    // Offsets count Unicode scalars, as columns do.
    let start = starts.indices.contains(node.line - 1) ? starts[node.line - 1] : 0
    return .members([
      "sourcePosition": .members([
        "fileName": .string(name), "line": .int(Int64(node.line)),
        "column": .int(Int64(node.column)),
        "currentOffset": .int(Int64(start + node.column - 1)),
      ]),
      "values": .array(
        node.counts.map { outcome, count in
          .members(["value": outcome.json, "count": .int(Int64(count))])
        }),
      "children": .array(node.children.map { json($0, name: name, starts: starts) }),
    ])
  }

  // MARK: The page

  /// The same as HTML, with a row for each line of the rules.
  func ruleCoveragePage(of project: String) -> String {
    let name = HTML.escape(project)
    guard let ruleset = rules.ruleset(of: project) else {
      return Self.page(name, body: "<p>This project has no rules: everything is allowed.</p>")
    }
    return Self.page(name, body: ruleset.parts.map(Self.table).joined(separator: "\n"))
  }

  private static func table(_ part: Ruleset.Part) -> String {
    var notes: [Int: [(column: Int, text: String, isMissed: Bool)]] = [:]
    func add(_ node: RuleCoverage.Node) {
      let told = node.counts.map { "\($0.outcome.word) ×\($0.count)" }.joined(separator: ", ")
      notes[node.line, default: []].append(
        (node.column, told.isEmpty ? "never evaluated" : told, told.isEmpty))
      node.children.forEach(add)
    }
    part.coverage.forEach(add)
    let lines = part.file.content.unicodeScalars.split(
      separator: "\n", omittingEmptySubsequences: false)
    let rows = lines.enumerated().map { index, line in
      let notes = (notes[index + 1] ?? []).sorted { $0.column < $1.column }
      let items = notes.map { note in
        "<li\(note.isMissed ? " class=\"missed\"" : "")>column \(note.column): \(note.text)</li>"
      }
      return "<tr><th scope=\"row\">\(index + 1)</th><td><code>\(HTML.escape(String(line)))</code>"
        + "</td><td>\(items.isEmpty ? "" : "<ul>\(items.joined())</ul>")</td></tr>"
    }
    return """
      <table><thead><tr><th scope="col">Line</th><th scope="col">Rules</th>\
      <th scope="col">Evaluated</th></tr></thead>
      <tbody>
      \(rows.joined(separator: "\n"))
      </tbody></table>
      """
  }

  private static func page(_ project: String, body: String) -> String {
    """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8"><title>Rule coverage of \(project)</title>
    <meta name="viewport" content="width=device-width">
    <style>
    \(WebFiles.`rule-coverage.css`)</style></head>
    <body><h1>Rule coverage of \(project)</h1>
    \(body)
    </body></html>
    """
  }
}

extension RuleCoverage.Outcome {
  /// As Google's rules service writes values, as far as it has a word.
  fileprivate var json: JSON {
    switch self {
    case .bool(let value): ["boolValue": .bool(value)]
    case .other(let type): ["type": .string(type)]
    case .failure: ["undefined": [:]]
    case .undecided: ["unknown": [:]]
    }
  }
}
