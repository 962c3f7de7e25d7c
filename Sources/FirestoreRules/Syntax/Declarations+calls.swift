extension Declarations {
  /// Finds the function of every call, and refuses recursion.
  mutating func resolveCalls(in scopes: Scopes) throws(RuleSyntaxError) {
    for index in calls.indices {
      let call = calls[index]
      guard let target = scopes.function(call.name, from: call.scope) else {
        throw RuleSyntaxError(call.position, "unknown function '\(call.name)'")
      }
      let count = functions[target].parameterCount
      guard count == call.argumentCount else {
        let expected = (count...count).description(of: "argument")
        throw RuleSyntaxError(
          call.position, "'\(call.name)' takes \(expected), found \(call.argumentCount)")
      }
      calls[index].target = target
    }
    try refuseRecursion()
  }

  /// Settles the functions that call none, then those that call only settled ones, and so on; what
  /// cannot be settled leads to itself. No recursive search: a file may hold thousands of
  /// functions, each calling the next.
  private func refuseRecursion() throws(RuleSyntaxError) {
    var openCalls = Array(repeating: 0, count: functions.count)
    var callers = Array(repeating: [Int](), count: functions.count)
    for call in calls {
      guard let caller = call.caller, let target = call.target else { continue }
      openCalls[caller] += 1
      callers[target].append(caller)
    }
    var settled = functions.indices.filter { openCalls[$0] == 0 }
    while let function = settled.popLast() {
      for caller in callers[function] {
        openCalls[caller] -= 1
        if openCalls[caller] == 0 { settled.append(caller) }
      }
    }
    for call in calls {
      guard let caller = call.caller, let target = call.target else { continue }
      if openCalls[caller] > 0, openCalls[target] > 0 {
        throw RuleSyntaxError(call.position, "the call of '\(call.name)' leads to a recursion")
      }
    }
  }
}
