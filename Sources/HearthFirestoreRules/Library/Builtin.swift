/// A function or method whose result depends on nothing but its arguments. The tables in this
/// folder are the language's library.
struct Builtin: Sendable {
  typealias Body = @Sendable (_ arguments: [RuleValue]) throws -> RuleValue
  typealias MeteredBody =
    @Sendable (_ arguments: [RuleValue], _ budget: RuleBudget) throws -> RuleValue

  let name: String
  /// How many arguments it takes, for a method without the value that it is called on.
  let arity: ClosedRange<Int>
  /// For a method the first argument is the value that it is called on.
  let body: MeteredBody

  /// One that may cost or make more than its arguments are large, and pays for that itself.
  init(metered name: String, arity: Int, body: @escaping MeteredBody) {
    self.name = name
    self.arity = arity...arity
    self.body = body
  }

  /// One that looks at the surface of its arguments and makes nothing larger.
  init(_ name: String, arity: Int, body: @escaping Body) {
    self.init(metered: name, arity: arity) { arguments, budget in
      try budget.spend(arguments.reduce(0) { $0 + $1.surfaceSize / 64 })
      let result = try body(arguments)
      try budget.spend(making: result)
      return result
    }
  }

  /// One that reads its arguments to their end.
  init(reading name: String, arity: Int, body: @escaping Body) {
    self.init(metered: name, arity: arity) { arguments, budget in
      for argument in arguments { try budget.spend(reading: argument) }
      let result = try body(arguments)
      try budget.spend(making: result)
      return result
    }
  }
}

extension Builtin {
  static let namespaces: Set<String> = ["math", "timestamp", "duration", "latlng", "hashing"]

  private static let globals: [String: Builtin] = table(
    conversions + pathFunctions + mathFunctions + timestampFunctions + durationFunctions
      + latlngFunctions + hashingFunctions)

  private static let methods: [RuleType: [String: Builtin]] = [
    .string: table(stringMethods), .bytes: table(bytesMethods), .list: table(listMethods),
    .set: table(setMethods), .map: table(mapMethods), .mapDiff: table(mapDiffMethods),
    .timestamp: table(timestampMethods), .duration: table(durationMethods),
    .latlng: table(latlngMethods), .path: table(pathMethods),
  ]

  /// `name` with its namespace, as in `math.abs`.
  static func global(_ name: String) -> Builtin? { globals[name] }

  static func method(_ name: String, of type: RuleType) -> Builtin? { methods[type]?[name] }

  private static func table(_ builtins: [Builtin]) -> [String: Builtin] {
    Dictionary(uniqueKeysWithValues: builtins.map { ($0.name, $0) })
  }
}
