/// The limits of security rules.
extension Limit {
  package static let rulesFile = Limit(
    "a rules file", value: 262_144, unit: "bytes", text: "longer than 256 KiB", source: .rules)
  package static let matchDepth = Limit(
    "`match` within `match`", value: 10, unit: "levels",
    text: "Maximum allowed resource rule depth of {limit} is reached.", source: .rules)
  package static let matchPath = Limit(
    "the path of a `match` with those around it", value: 100, unit: "segments",
    text: "Maximum allowed path length of {limit} is reached.", source: .rules)
  package static let matchVariables = Limit(
    "the variables in the path of a `match` with those around it", value: 20, unit: "variables",
    text: "Maximum allowed amount of {limit} match field variables is reached.", source: .rules)
  package static let callDepth = Limit(
    "functions that call one another", value: 20, unit: "calls",
    text: "Maximum allowed call depth of {limit} is reached.", source: .rules)
  package static let parameters = Limit(
    "the parameters of a function", value: 7, unit: "parameters",
    text: "Maximum allowed function arguments of {limit} for function {name} is reached.",
    source: .rules)
  package static let bindings = Limit(
    "`let` in a function; the documents say 10", value: 11, unit: "variables",
    text: "At most {limit} variables are allowed in a function.", source: .measured)
  package static let expressionHeight = Limit(
    "the levels of an expression", value: 99, unit: "levels",
    text: "Expression is too complex to evaluate safely.", source: .measured)
  package static let expressions = Limit(
    "expressions that are evaluated for a decision", value: 1000, unit: "expressions",
    condition: .always,
    status: "PERMISSION_DENIED", text: "more than {limit} expressions", source: .rules)
  package static let accessCalls = Limit(
    "documents that the decision about one document looks up", value: 10, unit: "documents",
    condition: .always,
    status: "PERMISSION_DENIED", text: "more than {limit} documents looked up", source: .rules)
  package static let accessCallsOfRequest = Limit(
    "documents that a request about several looks up", value: 20, unit: "documents",
    condition: .always, status: "PERMISSION_DENIED",
    text: "more than {limit} documents looked up for one request", source: .rules)

  static let rules = [
    rulesFile, matchDepth, matchPath, matchVariables, callDepth, parameters, bindings,
    expressionHeight, expressions,
    accessCalls, accessCallsOfRequest,
  ]
}
