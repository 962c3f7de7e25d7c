import HearthLimits

/// Reads a rules file: the file and its services here, what they hold in the extensions.
struct Parser {
  /// The height of an expression's tree, parentheses counted.
  static let maximumComplexity = Limit.expressionHeight.value

  var lexer: Lexer
  var token: Token
  /// Where the token before this one ended.
  var lastEnd = SourcePosition()
  var declarations = Declarations()
  var scopes = Scopes()
  /// Expressions within expressions.
  var nesting = 0
  var currentFunction: Int?
  private var services: Set<String> = []
  /// The one that is being read.
  var service = Service.none

  enum Service {
    case none, firestore, other, unknown
  }

  static func parse(_ source: String) throws(RuleSyntaxError) -> Declarations {
    guard source.utf8.count <= Limit.rulesFile.value else {
      throw RuleSyntaxError(SourcePosition(), message: Limit.rulesFile.refusal())
    }
    var lexer = Lexer(source)
    let token = try lexer.next()
    var parser = Parser(lexer: lexer, token: token)
    try parser.file()
    try parser.declarations.resolveCalls(in: parser.scopes)
    return parser.declarations
  }

  private init(lexer: Lexer, token: Token) {
    self.lexer = lexer
    self.token = token
  }

  private mutating func file() throws(RuleSyntaxError) {
    try version()
    if token.kind == .end {
      throw error("'service cloud.firestore' is expected, found \(token.description)")
    }
    while token.kind != .end {
      if try skip(word: "function") {
        try function()
      } else if try skip(word: "service") {
        try readService()
      } else if token.kind == .identifier("import") {
        throw error("Import statements are not allowed.")
      } else {
        throw error("'service' or 'function' is expected, found \(token.description)")
      }
    }
    if declarations.version == 1 {
      declarations.warnings.append(
        RuleWarning(
          "Ruleset uses old version (version [1]). "
            + "Please update to the latest version (version [2])."))
    }
  }

  private mutating func version() throws(RuleSyntaxError) {
    guard try skip(word: "rules_version") else { return }
    try expect(.assign)
    guard case .string(let text) = token.kind else { throw error("rules_version is '1' or '2'") }
    guard let version = Int(text), [1, 2].contains(version) else {
      throw error("Unsupported rules version \(text).")
    }
    declarations.version = version
    try advance()
    _ = try skip(.semicolon)
  }

  /// A service, from its name on. Those other than `cloud.firestore` are checked and not used.
  private mutating func readService() throws(RuleSyntaxError) {
    let start = token
    var name = try identifier("the name of a service")
    while try skip(.dot) { name += "." + (try identifier("the name of a service")) }
    guard services.insert(name).inserted else {
      throw RuleSyntaxError(start.position, message: "Duplicate service name declaration.")
    }
    service = Self.known[name] ?? .unknown
    if service == .unknown {
      declarations.warnings.append(
        RuleWarning(start.position, word: name, what: "Invalid service name"))
    }
    scopes.open()
    try expect(.leftBrace)
    if token.kind == .symbol(.rightBrace) {
      throw error("The 'service' body must contain at least one declaration.")
    }
    while try !skip(.rightBrace) {
      let position = token.position
      if try skip(word: "match") {
        try match(at: position, below: [], depth: 0)
      } else if try skip(word: "function") {
        try function()
      } else {
        throw error("'match' or 'function' is expected, found \(token.description)")
      }
    }
    scopes.close()
    service = .none
  }

  private static let known: [String: Service] = [
    "cloud.firestore": .firestore, "firebase.storage": .other,
  ]
}
