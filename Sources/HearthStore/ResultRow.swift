package import Foundation
import GRDB

/// A row of a statement's results, good for as long as it is being read.
package struct ResultRow {
  private let row: Row

  init(_ row: Row) { self.row = row }

  package subscript(column: Int) -> String { StoredText.decode(row[column]) }
  package subscript(column: Int) -> String? {
    (row[column] as String?).map(StoredText.decode)
  }
  package subscript(column: Int) -> Int { row[column] }
  package subscript(column: Int) -> Int64 { row[column] }
  package subscript(column: Int) -> Int64? { row[column] }
  package subscript(column: Int) -> Bool { row[column] }
  package subscript(column: Int) -> Data { row[column] }
}
