/// A node of the syntax tree, with names resolved as far as the parser can.
struct Expression: Sendable {
  let position: SourcePosition
  /// From its first character to after its last one.
  let span: SourceSpan
  /// How many nodes lie on the longest way down; the parser bounds it, because every walk over the
  /// tree is recursive.
  let height: Int
  let kind: Kind

  indirect enum Kind: Sendable {
    case literal(RuleValue)
    case variable(Variable)
    case list([Expression])
    case map([(key: Expression, value: Expression)])
    case path([PathPart])
    case member(of: Expression, name: String)
    case index(of: Expression, Expression)
    /// Without a bound, from the beginning or to the end.
    case slice(of: Expression, from: Expression?, to: Expression?)
    case not(Expression)
    case negate(Expression)
    case binary(BinaryOperator, Expression, Expression)
    /// `&&` and `||` hold whole chains, so that they are evaluated without recursion.
    case all([Expression])
    case any([Expression])
    case typeTest(Expression, TypeTest)
    case conditional(Expression, then: Expression, otherwise: Expression)
    case method(of: Expression, name: String, arguments: [Expression])
    /// A function of a namespace, as `math.abs`.
    case builtin(Builtin, arguments: [Expression])
    /// Any other function; the number is that of the ``CallSite``.
    case call(Int, arguments: [Expression])
    /// A name that nothing has: it fails whenever it is evaluated.
    case missing(String)
  }

  enum Variable: Sendable, Hashable {
    case request
    case resource
    /// A wildcard of a match path, numbered through the file.
    case wildcard(Int)
    /// A parameter or `let` of the function, numbered from 0.
    case local(Int)

    /// Whether the service gives it, and not the file.
    var isOfService: Bool { self == .request || self == .resource }
  }

  enum PathPart: Sendable {
    case literal(String)
    case interpolation(Expression)
  }
}
