import HearthWire

/// Blocks, and the helpers that take one.
extension HandlebarsRendering {
  mutating func render(
    _ block: HandlebarsBlock, scope: HandlebarsScope
  ) throws(HandlebarsError) {
    let body = block.isInverse ? block.otherwise ?? [] : block.body
    let otherwise = block.isInverse ? block.body : block.otherwise ?? []
    let name = block.call.name.flatMap { scope.named($0) == nil ? $0 : nil }
    switch name {
    case "if", "unless":
      let isTrue = try condition(block.call, scope: scope)
      try render((name == "if") == isTrue ? body : otherwise, scope: scope)
    case "each":
      guard let list = block.call.params.first else {
        throw HandlebarsError("Must pass iterator to #each")
      }
      try each(
        try value(of: list, scope), body: body, otherwise: otherwise, names: block.call.blockParams,
        scope: scope)
    case "with":
      let value = try argument(block.call, scope: scope)
      guard !Self.isEmpty(value) else { return try render(otherwise, scope: scope) }
      let names = block.call.blockParams.first.map { [$0: value] } ?? [:]
      try render(body, scope: HandlebarsScope(value: value, parent: scope, names: names))
    case "log": break
    default:
      if !block.call.isAlone, let name { throw HandlebarsError("Missing helper: \"\(name)\"") }
      try section(
        try value(of: block.call, scope), body: body, otherwise: otherwise, call: block.call,
        scope: scope)
    }
  }

  /// A block with the name of a value.
  private mutating func section(
    _ value: JSON?, body: [HandlebarsNode], otherwise: [HandlebarsNode],
    call: HandlebarsCall, scope: HandlebarsScope
  ) throws(HandlebarsError) {
    switch value {
    case nil, .null?, .bool(false)?: try render(otherwise, scope: scope)
    case .bool(true)?: try render(body, scope: scope)
    case .array?:
      try each(value, body: body, otherwise: otherwise, names: call.blockParams, scope: scope)
    default: try render(body, scope: HandlebarsScope(value: value, parent: scope))
    }
  }

  private func condition(
    _ call: HandlebarsCall, scope: HandlebarsScope
  ) throws(HandlebarsError) -> Bool {
    let value = try argument(call, scope: scope)
    let isZero = value == .int(0) || value == .double(0)
    if isZero {
      let including = call.hash.first { $0.name == "includeZero" }?.value
      return try including.map { (operand) throws(HandlebarsError) in
        Self.text(try self.value(of: operand, scope)) == "true"
      } ?? false
    }
    return !Self.isEmpty(value)
  }

  private func argument(
    _ call: HandlebarsCall, scope: HandlebarsScope
  ) throws(HandlebarsError) -> JSON? {
    guard call.params.count == 1, let operand = call.params.first else {
      throw HandlebarsError("#\(call.name ?? "") requires exactly one argument")
    }
    // A strict template may ask whether there is a value.
    if case .path(let path) = operand { return value(atOptional: path, scope) }
    return try value(of: operand, scope)
  }

  private static func isEmpty(_ value: JSON?) -> Bool {
    switch value {
    case .int(0)?, .double(0)?: false
    case .array(let list)?: list.isEmpty
    default: value?.isTruthy != true
    }
  }

  private mutating func each(
    _ value: JSON?, body: [HandlebarsNode], otherwise: [HandlebarsNode], names: [String],
    scope: HandlebarsScope
  ) throws(HandlebarsError) {
    var items: [(key: JSON, value: JSON)] = []
    switch value {
    case .array(let list)?: items = list.enumerated().map { (.int(Int64($0.offset)), $0.element) }
    case .object(let object)?: items = object.members.map { (.string($0.key), $0.value) }
    default: break
    }
    // A round costs something, also where its body is empty.
    try budget.spend(items.count)
    guard !items.isEmpty else { return try render(otherwise, scope: scope) }
    for (index, item) in items.enumerated() {
      let data: [String: JSON] = [
        "index": .int(Int64(index)), "key": item.key, "first": .bool(index == 0),
        "last": .bool(index == items.count - 1),
      ]
      let values = [item.value, item.key]
      let named = Dictionary(
        zip(names, values.map(Optional.some)), uniquingKeysWith: { first, _ in first })
      try render(
        body, scope: HandlebarsScope(value: item.value, parent: scope, data: data, names: named))
    }
  }
}
