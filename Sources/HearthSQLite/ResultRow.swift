import CHearthSQLite

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A row of a statement's results, good for as long as it is being read.
///
/// A NULL that is read as something that cannot be nil is empty or zero, as in SQLite itself.
///
/// It borrows the statement: what is read is copied, but for `withText`. Columns count from 0.
package struct ResultRow {
  private let statement: OpaquePointer

  init(_ statement: OpaquePointer) { self.statement = statement }

  package subscript(column: Int) -> String {
    let column = Int32(column)
    guard let start = sqlite3_column_text(statement, column) else { return "" }
    let count = Int(sqlite3_column_bytes(statement, column))
    return StoredText.decode(UnsafeBufferPointer(start: start, count: count))
  }

  package subscript(column: Int) -> String? { isNull(column) ? nil : self[column] as String }

  package subscript(column: Int) -> Int { Int(self[column] as Int64) }
  package subscript(column: Int) -> Int64 { sqlite3_column_int64(statement, Int32(column)) }
  package subscript(column: Int) -> Int64? { isNull(column) ? nil : self[column] as Int64 }
  package subscript(column: Int) -> Bool { self[column] != 0 as Int64 }

  package subscript(column: Int) -> Data {
    let column = Int32(column)
    guard let start = sqlite3_column_blob(statement, column) else { return Data() }
    return Data(bytes: start, count: Int(sqlite3_column_bytes(statement, column)))
  }

  package subscript(column: Int) -> [UInt8] {
    let column = Int32(column)
    let blob = UnsafeRawBufferPointer(
      start: sqlite3_column_blob(statement, column),
      count: Int(sqlite3_column_bytes(statement, column)))
    return [UInt8](blob)
  }

  /// The bytes of a text as they are kept, for what needs no string. U+0000 and U+0001 are escaped.
  package func withText<Value>(
    _ column: Int, body: (UnsafeBufferPointer<UInt8>) throws -> Value
  ) rethrows -> Value {
    let start = sqlite3_column_text(statement, Int32(column))
    let count = start == nil ? 0 : Int(sqlite3_column_bytes(statement, Int32(column)))
    return try body(UnsafeBufferPointer(start: start, count: count))
  }

  private func isNull(_ column: Int) -> Bool {
    sqlite3_column_type(statement, Int32(column)) == SQLITE_NULL
  }
}
