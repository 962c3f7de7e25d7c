/// A dictionary that forgets its oldest entries.
package struct RecentValues<Value: Sendable>: Sendable {
  private let most: Int
  /// From the oldest to the newest.
  package private(set) var keys: [String] = []
  private var values: [String: Value] = [:]

  package init(most: Int) { self.most = most }

  package subscript(key: String) -> Value? {
    get { values[key] }
    set {
      if values[key] == nil, newValue != nil { keys.append(key) }
      if newValue == nil { keys.removeAll { $0 == key } }
      values[key] = newValue
      if keys.count > most { values[keys.removeFirst()] = nil }
    }
  }
}
