#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// What can stand in a column.
package protocol Storable {
  var stored: StoredValue { get }
}

/// A value as SQLite knows it.
package enum StoredValue: Sendable {
  case null
  case integer(Int64)
  case text(String)
  case blob(Data)
}

extension String: Storable { package var stored: StoredValue { .text(self) } }
extension Data: Storable { package var stored: StoredValue { .blob(self) } }
extension Int64: Storable { package var stored: StoredValue { .integer(self) } }
extension Int: Storable { package var stored: StoredValue { .integer(Int64(self)) } }
extension Bool: Storable { package var stored: StoredValue { .integer(self ? 1 : 0) } }

/// The values of a statement's placeholders, in order.
package struct Arguments: ExpressibleByArrayLiteral {
  private(set) var values: [StoredValue]

  package init(_ elements: [(any Storable)?] = []) {
    values = []
    values.reserveCapacity(elements.count)
    for element in elements { values.append(element?.stored ?? .null) }
  }

  package init(arrayLiteral elements: (any Storable)?...) { self.init(elements) }

  package static func + (left: Arguments, right: Arguments) -> Arguments {
    var sum = left
    sum += right
    return sum
  }

  package static func += (left: inout Arguments, right: Arguments) { left.values += right.values }
}
