/// A function or method whose result depends on nothing but its arguments. The tables in this
/// folder are the language's library: what is not in them is refused when rules are loaded.
struct Builtin: Sendable {
  typealias Body = @Sendable (_ arguments: [RuleValue]) throws -> RuleValue

  let name: String
  /// How many arguments it takes, for a method without the value that it is called on.
  let arity: ClosedRange<Int>
  /// For a method the first argument is the value that it is called on.
  let body: Body

  init(_ name: String, _ arity: ClosedRange<Int>, _ body: @escaping Body) {
    self.name = name
    self.arity = arity
    self.body = body
  }

  init(_ name: String, _ arity: Int, _ body: @escaping Body) {
    self.init(name, arity...arity, body)
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
