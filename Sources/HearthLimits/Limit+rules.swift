/// The limits of security rules.
extension Limit {
  package static let rulesFile = Limit(
    "a rules file", 262_144, "bytes", "longer than 256 KiB", .rules)
  package static let matchDepth = Limit(
    "`match` within `match`", 10, "levels",
    "Maximum allowed resource rule depth of {limit} is reached.", .rules)
  package static let matchPath = Limit(
    "the path of a `match` with those around it", 100, "segments",
    "Maximum allowed path length of {limit} is reached.", .rules)
  package static let matchVariables = Limit(
    "the variables in the path of a `match` with those around it", 20, "variables",
    "Maximum allowed amount of {limit} match field variables is reached.", .rules)
  package static let callDepth = Limit(
    "functions that call one another", 20, "calls",
    "Maximum allowed call depth of {limit} is reached.", .rules)
  package static let parameters = Limit(
    "the parameters of a function", 7, "parameters",
    "Maximum allowed function arguments of {limit} for function {name} is reached.", .rules)
  package static let bindings = Limit(
    "`let` in a function; the documents say 10", 11, "variables",
    "At most {limit} variables are allowed in a function.", .measured)
  package static let expressionHeight = Limit(
    "the levels of an expression", 99, "levels", "Expression is too complex to evaluate safely.",
    .measured)
  package static let expressions = Limit(
    "expressions that are evaluated for a decision", 1000, "expressions", .always,
    "PERMISSION_DENIED", "more than {limit} expressions", .rules)
  package static let accessCalls = Limit(
    "documents that the decision about one document looks up", 10, "documents", .always,
    "PERMISSION_DENIED", "more than {limit} documents looked up", .rules)
  package static let accessCallsOfRequest = Limit(
    "documents that a request about several looks up", 20, "documents", .always,
    "PERMISSION_DENIED", "more than {limit} documents looked up for one request", .rules)

  static let rules = [
    rulesFile, matchDepth, matchPath, matchVariables, callDepth, parameters, bindings,
    expressionHeight, expressions,
    accessCalls, accessCallsOfRequest,
  ]
}
