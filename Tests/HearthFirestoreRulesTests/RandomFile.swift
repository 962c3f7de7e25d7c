/// A rules file made of random declarations, twice, and what a parser has to find in it.
struct RandomFile {
  private(set) var text = "rules_version = '2';\nservice cloud.firestore {"
  private(set) var full = "rules_version = '2'; service cloud.firestore {"
  private(set) var blocks: [String] = []
  private(set) var functions: [String] = []
  private var syntax: RandomSyntax
  private var wildcards = 0

  init(seed: UInt64) {
    syntax = RandomSyntax(seed: seed)
    var around = Surroundings()
    declareFunctions(in: &around)
    for _ in 0..<syntax.number(1...3) { match(below: [], around, depth: 2) }
    write("}", full: "}")
    blocks.sort()
  }

  private mutating func write(_ text: String, full: String) {
    self.text += text + syntax.gap()
    self.full += full + "\n"
  }

  /// Each may call those that are declared already, so that none calls itself.
  private mutating func declareFunctions(in around: inout Surroundings) {
    for _ in 0..<syntax.number(0...2) {
      let number = functions.count
      let count = syntax.number(0...3)
      var inner = around
      let parameters = (0..<count).map { "p\($0)" }
      for (index, parameter) in parameters.enumerated() {
        inner.variables[parameter] = "local\(index)"
      }
      let head = "function f\(number)(\(parameters.joined(separator: ", "))) {"
      write(" " + head, full: head)
      var trees: [String] = []
      for index in 0..<syntax.number(0...2) {
        let value = syntax.expression(2, around: inner)
        write(
          "let v\(index)" + syntax.gap() + "=" + syntax.gap() + value.text + ";",
          full: "let v\(index) = \(value.full);")
        inner.variables["v\(index)"] = "local\(count + index)"
        trees.append(value.tree)
      }
      let result = syntax.expression(3, around: inner)
      write("return" + syntax.blank() + result.text + end() + "}", full: "return \(result.full); }")
      trees.append(result.tree)
      functions.append("f\(number)/\(count) " + trees.joined(separator: "; "))
      around.functions.append(
        Surroundings.Function(name: "f\(number)", parameters: count, number: number))
    }
  }

  private mutating func match(below parent: [String], _ around: Surroundings, depth: Int) {
    var around = around
    var pattern = parent
    var path = ""
    // A name may hide the one of a block further out.
    var names = ["uid", "doc", "rest"]
    let isRecursive = syntax.chance(15) && !parent.contains { $0.contains("=**") }
    for index in 0..<syntax.number(1...3) {
      guard syntax.chance(50), let name = names.popLast() else {
        let segment = syntax.pick(["users", "docs", "a-b", "e.f"])
        path += "/" + segment
        pattern.append(segment)
        continue
      }
      let suffix = isRecursive && index == 0 ? "=**" : ""
      path += "/{\(name)\(suffix)}"
      pattern.append("{\(wildcards)\(suffix)}")
      around.variables[name] = "wildcard\(wildcards)"
      wildcards += 1
    }
    write("match" + syntax.blank() + path + syntax.blank() + "{", full: "match \(path) {")
    declareFunctions(in: &around)
    var allows: [String] = []
    // A block holds something.
    for _ in 0..<syntax.number(1...2) { allows.append(allow(around)) }
    if depth > 0, syntax.chance(50) { match(below: pattern, around, depth: depth - 1) }
    write("}", full: "}")
    blocks.append("/" + pattern.joined(separator: "/") + " " + allows.joined(separator: "; "))
  }

  /// A semicolon after an `allow` or a `return` may be missing.
  private mutating func end() -> String { syntax.chance(80) ? ";" : syntax.blank() }

  private mutating func allow(_ around: Surroundings) -> String {
    let meanings = [
      "read": "get,list", "write": "create,delete,update", "get": "get", "list": "list",
      "create": "create", "update": "update", "delete": "delete",
    ]
    let word = syntax.pick(meanings.keys.sorted())
    let methods = meanings[word] ?? ""
    guard syntax.chance(90) else {
      write("allow" + syntax.blank() + word + end(), full: "allow \(word);")
      return "\(methods) if always"
    }
    let condition = syntax.expression(4, around: around)
    write(
      "allow" + syntax.blank() + word + syntax.gap() + ":" + syntax.gap() + "if" + syntax.blank()
        + condition.text + end(),
      full: "allow \(word): if \(condition.full);")
    return "\(methods) if \(condition.tree)"
  }
}
