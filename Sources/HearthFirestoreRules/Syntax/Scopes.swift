/// The names that are visible at one place of the file.
struct Scopes {
  /// The file, a service or one `match`.
  private struct Scope {
    let parent: Int?
    var wildcards: [String: Int] = [:]
    var functions: [String: Int] = [:]
  }

  private var scopes = [Scope(parent: nil)]
  private(set) var current = 0
  private var wildcardCount = 0
  /// Parameters and `let`s, while a function is being read.
  private var locals: [String: Int]?
  private var usedLocals: Set<Int> = []

  mutating func open() {
    scopes.append(Scope(parent: current))
    current = scopes.count - 1
  }

  mutating func close() { current = scopes[current].parent ?? 0 }

  mutating func openFunction() {
    locals = [:]
    usedLocals = []
  }

  /// Gives the numbers of the locals that nothing read.
  mutating func closeFunction() -> [Int] {
    defer { locals = nil }
    return (0..<(locals?.count ?? 0)).filter { !usedLocals.contains($0) }
  }

  /// Nil if the scope's own path has the name already.
  mutating func declareWildcard(_ name: String) -> Int? {
    guard scopes[current].wildcards[name] == nil else { return nil }
    defer { wildcardCount += 1 }
    scopes[current].wildcards[name] = wildcardCount
    return wildcardCount
  }

  /// False if the function has the name already.
  mutating func declareLocal(_ name: String) -> Bool {
    guard let count = locals?.count, locals?[name] == nil else { return false }
    locals?[name] = count
    return true
  }

  /// False if the scope itself has a function of that name already.
  mutating func declareFunction(_ name: String, index: Int) -> Bool {
    guard scopes[current].functions[name] == nil else { return false }
    scopes[current].functions[name] = index
    return true
  }

  mutating func variable(_ name: String) -> Expression.Variable? {
    if let local = locals?[name] {
      usedLocals.insert(local)
      return .local(local)
    }
    if let wildcard = nearest(from: current, { $0.wildcards[name] }) { return .wildcard(wildcard) }
    switch name {
    case "request": return .request
    case "resource": return .resource
    default: return nil
    }
  }

  func function(_ name: String, from scope: Int) -> Int? {
    nearest(from: scope) { $0.functions[name] }
  }

  private func nearest(from scope: Int, _ find: (Scope) -> Int?) -> Int? {
    var next: Int? = scope
    while let index = next {
      if let found = find(scopes[index]) { return found }
      next = scopes[index].parent
    }
    return nil
  }
}
