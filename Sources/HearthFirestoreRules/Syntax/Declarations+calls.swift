import HearthLimits

extension Declarations {
  /// Finds the function of every call: one of the file, which may have the name of a built-in one,
  /// or a built-in one. A call of an unknown function is a warning and fails when it is evaluated.
  mutating func resolveCalls(in scopes: Scopes) throws(RuleSyntaxError) {
    for index in calls.indices {
      calls[index].target = target(of: calls[index], scopes)
      switch calls[index].target {
      case .missing: warn(about: calls[index], scopes)
      case .debug where calls[index].argumentCount > 1: warn(about: calls[index], scopes)
      case .function, .builtin, .lookUp, .debug: break
      }
    }
    try checkDepth()
    let called = Set(calls.compactMap { scopes.function($0.name, from: $0.scope) })
    for (index, function) in functions.enumerated() where !called.contains(index) {
      warnings.append(RuleWarning(function.position, word: function.name, what: "Unused function"))
    }
  }

  private func target(of call: CallSite, _ scopes: Scopes) -> CallSite.Target {
    let wrongCount = CallSite.Target.missing(
      "'\(call.name)' does not take \((call.argumentCount...call.argumentCount).description(of: "argument"))"
    )
    if let index = scopes.function(call.name, from: call.scope) {
      return functions[index].parameterCount == call.argumentCount ? .function(index) : wrongCount
    }
    if let builtin = Builtin.global(call.name) {
      return builtin.arity.contains(call.argumentCount) ? .builtin(builtin) : wrongCount
    }
    if let lookUp = call.lookUp {
      return call.argumentCount == 1 ? .lookUp(lookUp) : wrongCount
    }
    // The official emulator gives back the first, with a warning.
    if call.isDebug { return call.argumentCount > 0 ? .debug : wrongCount }
    return .missing("unknown function '\(call.name)'")
  }

  private mutating func warn(about call: CallSite, _ scopes: Scopes) {
    let isKnown =
      scopes.function(call.name, from: call.scope) != nil || Builtin.global(call.name) != nil
      || call.lookUp != nil || call.isDebug
    let text =
      isKnown ? "Incorrect number of arguments supplied to function" : "Invalid function name"
    warnings.append(RuleWarning(call.position, word: call.name, what: text))
  }

  /// Settles the functions that call none, then those that call only settled ones, and so on; what
  /// cannot be settled leads to itself. No recursive search: a file may hold thousands of
  /// functions, each calling the next.
  private func checkDepth() throws(RuleSyntaxError) {
    var openCalls = Array(repeating: 0, count: functions.count)
    var callers = Array(repeating: [Int](), count: functions.count)
    for call in calls {
      guard let caller = call.caller, let target = call.callee else { continue }
      openCalls[caller] += 1
      callers[target].append(caller)
    }
    var depth = Array(repeating: 0, count: functions.count)
    var settled = functions.indices.filter { openCalls[$0] == 0 }
    while let function = settled.popLast() {
      guard depth[function] <= Limit.callDepth.value else {
        throw RuleSyntaxError(functions[function].position, message: Limit.callDepth.refusal())
      }
      for caller in callers[function] {
        depth[caller] = max(depth[caller], depth[function] + 1)
        openCalls[caller] -= 1
        if openCalls[caller] == 0 { settled.append(caller) }
      }
    }
    for call in calls {
      guard let caller = call.caller, let target = call.callee else { continue }
      if openCalls[caller] > 0, openCalls[target] > 0 {
        throw RuleSyntaxError(
          call.position, message: "Recursive call is not allowed: '\(call.name)' leads to itself.")
      }
    }
  }
}

/// What a service has besides the library.
extension CallSite {
  fileprivate var lookUp: LookUp? {
    service == .firestore || service == .none ? LookUp(rawValue: name) : nil
  }

  fileprivate var isDebug: Bool { name == "debug" && service != .unknown }
}
