package import GRDB

/// The values of a statement's placeholders, in order.
package struct Arguments: ExpressibleByArrayLiteral {
  private(set) var values: StatementArguments

  package init(_ elements: [(any DatabaseValueConvertible)?] = []) {
    values = StatementArguments(elements.lazy.map(Self.value))
  }

  package init(arrayLiteral elements: (any DatabaseValueConvertible)?...) { self.init(elements) }

  private static func value(_ element: (any DatabaseValueConvertible)?) -> DatabaseValue {
    let value = element?.databaseValue ?? .null
    guard case .string(let text) = value.storage else { return value }
    return StoredText.encode(text).databaseValue
  }

  package static func + (left: Arguments, right: Arguments) -> Arguments {
    var sum = left
    sum += right
    return sum
  }

  package static func += (left: inout Arguments, right: Arguments) { left.values += right.values }
}
