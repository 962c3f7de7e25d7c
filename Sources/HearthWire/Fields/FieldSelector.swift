/// The `fields` parameter of Google's APIs: a partial answer.
///
/// `kind,users(localId,email)` and `users/localId` are understood, `*` stands for everything.
package struct FieldSelector: Sendable, Equatable {
  private indirect enum Node: Sendable, Equatable {
    case everything
    case members([String: Node])
  }

  private let root: Node

  /// Nil when the text is not a selector.
  package init?(_ text: String) {
    var parser = Parser(rest: text[...])
    guard let root = parser.list(depth: 0), parser.rest.isEmpty else { return nil }
    self.root = root
  }

  package func select(_ object: JSONObject) -> JSONObject {
    Self.select(.object(object), node: root).object ?? object
  }

  private static func select(_ value: JSON, node: Node) -> JSON {
    guard case .members(let members) = node else { return value }
    switch value {
    case .object(let object):
      var selected = JSONObject()
      for (key, member) in object.members {
        if let inner = members[key] ?? members["*"] {
          selected.append(key, value: select(member, node: inner))
        }
      }
      return .object(selected)
    case .array(let elements): return .array(elements.map { select($0, node: node) })
    case .null, .bool, .int, .double, .string: return value
    }
  }

  private struct Parser {
    var rest: Substring

    mutating func list(depth: Int) -> Node? {
      guard depth < 32 else { return nil }
      var members: [String: Node] = [:]
      repeat {
        guard let (name, node) = path(depth: depth) else { return nil }
        members[name] = node
      } while take(",")
      return .members(members)
    }

    private mutating func path(depth: Int) -> (String, Node)? {
      guard depth < 32 else { return nil }
      let name = String(rest.prefix { !",/()".contains($0) })
      guard !name.isEmpty else { return nil }
      rest = rest.dropFirst(name.count)
      if take("/") {
        guard let (inner, node) = path(depth: depth + 1) else { return nil }
        return (name, .members([inner: node]))
      }
      if take("(") {
        guard let inner = list(depth: depth + 1), take(")") else { return nil }
        return (name, inner)
      }
      return (name, .everything)
    }

    private mutating func take(_ character: Character) -> Bool {
      guard rest.first == character else { return false }
      rest = rest.dropFirst()
      return true
    }
  }
}
