import Foundation
import GRDB
import GRDBSQLite

/// A statement of GRDB's cache, bound and stepped through SQLite's own interface.
///
/// GRDB makes an array, a dictionary of names and a row object for each run, which costs more than
/// what SQLite then does; its `sqliteStatement` is published for such cases.
struct PreparedStatement {
  /// SQLite copies what is bound with it.
  private static let isCopied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  private let handle: OpaquePointer

  /// Resets the statement and binds the arguments, of which there must be one for each placeholder.
  init(_ statement: Statement, _ arguments: Arguments) throws {
    handle = statement.sqliteStatement
    let values = arguments.values
    guard values.count == sqlite3_bind_parameter_count(handle) else {
      throw DatabaseError(
        resultCode: .SQLITE_MISUSE, message: "\(values.count) arguments", sql: statement.sql)
    }
    // Repeats the failure of the run before, if it failed, which has been told already.
    sqlite3_reset(handle)
    var index: Int32 = 1
    for value in values {
      try check(bind(value, at: index))
      index += 1
    }
  }

  /// Whether there is another row.
  func step() throws -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw DatabaseError(resultCode: ResultCode(rawValue: code))
    }
  }

  /// The row that the last step came to.
  var row: ResultRow { ResultRow(handle) }

  /// Ends the run, so that no lock and no copy of an argument stays behind.
  func finish() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  private func check(_ code: Int32) throws {
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }

  private func bind(_ value: StoredValue, at index: Int32) -> Int32 {
    switch value {
    case .null: return sqlite3_bind_null(handle, index)
    case .integer(let number): return sqlite3_bind_int64(handle, index, number)
    case .text(let text):
      var text = StoredText.encode(text)
      return text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) { characters in
          // Without an address SQLite would take the empty text for NULL.
          guard let start = characters.baseAddress, !characters.isEmpty else {
            return sqlite3_bind_text(handle, index, "", 0, Self.isCopied)
          }
          return sqlite3_bind_text64(
            handle, index, start, UInt64(characters.count), Self.isCopied, UInt8(SQLITE_UTF8))
        }
      }
    case .blob(let data):
      return data.withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress, !bytes.isEmpty else {
          return sqlite3_bind_zeroblob(handle, index, 0)
        }
        return sqlite3_bind_blob64(handle, index, start, UInt64(bytes.count), Self.isCopied)
      }
    }
  }
}
