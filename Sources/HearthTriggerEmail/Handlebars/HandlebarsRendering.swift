import HearthWire

/// Writes a template with its values.
struct HandlebarsRendering {
  private static let deepest = 200

  var output = ""
  private let options: HandlebarsTemplate.Options
  private let root: JSON
  private var depth = 0
  let budget = HandlebarsBudget()

  init(_ options: HandlebarsTemplate.Options, root: JSON) {
    self.options = options
    self.root = root
  }

  mutating func render(
    _ nodes: [HandlebarsNode], scope: HandlebarsScope
  ) throws(HandlebarsError) {
    depth += 1
    defer { depth -= 1 }
    guard depth < Self.deepest else {
      throw HandlebarsError("Partials or blocks are nested too deeply")
    }
    for node in nodes {
      try budget.spend()
      switch node {
      case .text(let text): try write(text)
      case .output(let call, let isEscaped):
        let text = Self.text(try value(of: call, scope))
        try write(isEscaped && options.escapes ? Self.escaped(text) : text)
      case .block(let block): try render(block, scope: scope)
      case .partial(let partial): try render(partial, scope: scope)
      }
    }
  }

  private mutating func write(_ text: String) throws(HandlebarsError) {
    try budget.write(text.utf8.count)
    output += text
  }

  // MARK: Values

  func value(
    of call: HandlebarsCall, _ scope: HandlebarsScope
  ) throws(HandlebarsError) -> JSON? {
    if let name = call.name, scope.named(name) == nil {
      switch name {
      case "lookup": return try lookUp(call, scope: scope)
      case "log": return nil
      case "if", "unless", "each", "with":
        if !call.isAlone { throw HandlebarsError("#\(name) must be a block") }
      default:
        if !call.isAlone { throw HandlebarsError("Missing helper: \"\(name)\"") }
      }
    } else if !call.isAlone {
      throw HandlebarsError("Missing helper: \"\(Self.words(call.subject))\"")
    }
    // Alone, a literal is the name of a field.
    if case .literal(let name) = call.subject {
      return Self.member(Self.text(name), of: scope.value)
    }
    return try value(of: call.subject, scope)
  }

  func value(
    of operand: HandlebarsOperand, _ scope: HandlebarsScope
  ) throws(HandlebarsError) -> JSON? {
    switch operand {
    case .literal(let value): return value
    case .call(let call): return try value(of: call, scope)
    case .path(let path):
      let value = value(atOptional: path, scope)
      if value == nil, options.isStrict {
        throw HandlebarsError("\"\(path.segments.last ?? path.text)\" not defined")
      }
      return value
    }
  }

  func value(atOptional path: HandlebarsPath, _ scope: HandlebarsScope) -> JSON? {
    var segments = path.segments[...]
    var value: JSON?
    if path.isData {
      guard let name = segments.popFirst() else { return nil }
      value = name == "root" ? root : scope.data(name, up: path.depth)
    } else if !path.isScoped, let first = segments.first, let named = scope.named(first) {
      segments = segments.dropFirst()
      value = named
    } else {
      value = scope.up(path.depth)?.value
    }
    for segment in segments { value = Self.member(segment, of: value) }
    return value
  }

  static func member(_ name: String, of value: JSON?) -> JSON? {
    switch value {
    case .object(let object)?: object[name]
    case .array(let list)?:
      name == "length"
        ? .int(Int64(list.count))
        : Int(name).flatMap { list.indices.contains($0) ? list[$0] : nil }
    case .string(let text)? where name == "length": .int(Int64(text.utf16.count))
    default: nil
    }
  }

  private func lookUp(
    _ call: HandlebarsCall, scope: HandlebarsScope
  ) throws(HandlebarsError) -> JSON? {
    guard call.params.count == 2 else {
      throw HandlebarsError("#lookup requires exactly two arguments")
    }
    let object = try value(of: call.params[0], scope)
    let name = Self.text(try value(of: call.params[1], scope))
    try budget.read(name)
    return Self.member(name, of: object)
  }

  // MARK: Partials

  private mutating func render(
    _ partial: HandlebarsPartial, scope: HandlebarsScope
  ) throws(HandlebarsError) {
    let name =
      switch partial.call.subject {
      case .call(let call): Self.text(try value(of: call, scope))
      case .literal(let value): Self.text(value)
      case .path(let path): path.text
      }
    if name == "@partial-block" {
      guard let block = scope.blockOfPartial else {
        throw HandlebarsError("The partial @partial-block could not be found")
      }
      return try render(block.nodes, scope: block.scope)
    }
    guard let template = options.partials[name] else {
      if let block = partial.block { return try render(block, scope: scope) }
      throw HandlebarsError("The partial \(name) could not be found")
    }
    let inner = HandlebarsScope(
      value: try context(of: partial.call, scope), parent: scope,
      partialBlock: partial.block.map { ($0, scope) },
      isStep: !partial.call.isAlone)
    try indented(partial.indentation) { (rendering) throws(HandlebarsError) in
      try rendering.render(template.nodes, scope: inner)
    }
  }

  private func context(
    of call: HandlebarsCall, _ scope: HandlebarsScope
  ) throws(HandlebarsError) -> JSON? {
    guard call.params.count <= 1 else {
      throw HandlebarsError("Unsupported number of partial arguments: \(call.params.count)")
    }
    let value = try call.params.isEmpty ? scope.value : self.value(of: call.params[0], scope)
    guard !call.hash.isEmpty else { return value }
    var object = value?.object ?? JSONObject()
    try budget.spend(object.members.count)
    for (name, operand) in call.hash { object[name] = try self.value(of: operand, scope) }
    return .object(object)
  }

  private mutating func indented(
    _ indentation: String,
    body: (inout HandlebarsRendering) throws(HandlebarsError) -> Void
  ) throws(HandlebarsError) {
    guard !indentation.isEmpty else { return try body(&self) }
    let before = output
    output = ""
    try body(&self)
    try budget.read(output)
    var lines = output.split(separator: "\n", omittingEmptySubsequences: false)
    try budget.spend(lines.count)
    // Both are numbers of bytes in memory, so their product fits.
    try budget.write(lines.count * indentation.utf8.count)
    // Text after the final newline is not a line.
    let isEnded = lines.last?.isEmpty == true
    if isEnded { lines.removeLast() }
    output =
      before + lines.map { indentation + $0 }.joined(separator: "\n") + (isEnded ? "\n" : "")
  }

  // MARK: Text

  /// As JavaScript turns a value into text. What is undefined or null is empty.
  static func text(_ value: JSON?) -> String {
    switch value {
    case nil, .null?: ""
    case .bool(let value)?: value ? "true" : "false"
    case .int(let value)?: String(value)
    case .double(let value)?: JavaScriptNumber.text(value)
    case .string(let value)?: value
    case .array(let list)?: list.map(text).joined(separator: ",")
    case .object?: "[object Object]"
    }
  }

  static func words(_ operand: HandlebarsOperand) -> String {
    switch operand {
    case .path(let path): path.text
    case .literal(let value): text(value)
    case .call(let call): words(call.subject)
    }
  }

  private static func escaped(_ text: String) -> String {
    var output = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": output += "&amp;"
      case "<": output += "&lt;"
      case ">": output += "&gt;"
      case "\"": output += "&quot;"
      case "'": output += "&#x27;"
      case "`": output += "&#x60;"
      case "=": output += "&#x3D;"
      default: output.unicodeScalars.append(scalar)
      }
    }
    return output
  }
}
