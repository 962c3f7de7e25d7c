/// All that a rules file declares.
struct Declarations: Sendable {
  var version = 1
  /// Every `match` of `cloud.firestore` that has an `allow`, whatever its nesting, with its whole
  /// path: rules of several matching blocks are simply or-ed, so the nesting has no meaning beyond
  /// names and paths.
  var blocks: [MatchBlock] = []
  var functions: [FunctionDeclaration] = []
  var calls: [CallSite] = []
  var warnings: [RuleWarning] = []
}

struct MatchBlock: Sendable {
  let pattern: [PatternSegment]
  var allows: [AllowStatement] = []
}

enum PatternSegment: Sendable, Equatable {
  case literal(String)
  /// `{name}` or `{name=*}`: exactly one segment.
  case single(wildcard: Int)
  /// `{name=**}`: the rest, or with version 2 any number of segments anywhere.
  case recursive(wildcard: Int)

  var isRecursive: Bool {
    if case .recursive = self { true } else { false }
  }

  var isWildcard: Bool {
    if case .literal = self { false } else { true }
  }
}

struct AllowStatement: Sendable {
  let position: SourcePosition
  /// From its word to after its last character.
  let span: SourceSpan
  let methods: Set<RuleMethod>
  /// Nil: always.
  let condition: Expression?
}

struct FunctionDeclaration: Sendable {
  let name: String
  let position: SourcePosition
  let parameterCount: Int
  /// The `let`s in order; they are the locals that follow the parameters.
  var bindings: [Expression] = []
  /// Nil only while the body is being read.
  var result: Expression?
}

/// A call of a function by name. A function may be declared after its use, so the target is set
/// when the whole file has been read.
struct CallSite: Sendable {
  enum Target: Sendable {
    case function(Int)
    case builtin(Builtin)
    case lookUp(LookUp)
    case debug
    /// Why there is none: the call fails whenever it is evaluated.
    case missing(String)
  }

  enum LookUp: String, Sendable {
    case get, exists, getAfter, existsAfter
  }

  let name: String
  let position: SourcePosition
  let argumentCount: Int
  let scope: Int
  /// In which the call is; none in a function of the whole file.
  let service: Parser.Service
  /// The function in which the call is; nil in an `allow`.
  let caller: Int?
  var target: Target

  var callee: Int? {
    if case .function(let index) = target { index } else { nil }
  }
}
