import CHearthSQLite

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A statement that SQLite has parsed, to be run any number of times. It owns the handle; only the
/// thread that has its `Connection` may use it.
final class PreparedStatement {
  /// SQLite copies what is bound with it: `SQLITE_TRANSIENT`, which is a macro that Swift does not
  /// import.
  private static let isCopied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  private let handle: OpaquePointer
  private let placeholders: Int

  /// Parses the first statement of a text. PERSISTENT, because it is kept: SQLite then does not use
  /// its small lookaside memory for it.
  init(_ sql: String, on connection: OpaquePointer) throws(DatabaseError) {
    var handle: OpaquePointer?
    let code = sqlite3_prepare_v3(
      connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    guard code == SQLITE_OK else { throw DatabaseError(code, on: connection) }
    guard let handle else { throw DatabaseError(code: SQLITE_MISUSE, message: "no statement") }
    self.handle = handle
    placeholders = Int(sqlite3_bind_parameter_count(handle))
  }

  deinit { sqlite3_finalize(handle) }

  /// Binds the arguments, of which there must be one for each placeholder.
  func bind(_ arguments: Arguments) throws(DatabaseError) {
    let values = arguments.values
    guard values.count == placeholders else {
      throw DatabaseError(code: SQLITE_MISUSE, message: "\(values.count) arguments")
    }
    var index: Int32 = 1
    for value in values {
      let code = bind(value, at: index)
      guard code == SQLITE_OK else { throw failure(code) }
      index += 1
    }
  }

  /// Whether there is another row.
  func step() throws(DatabaseError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw failure(code)
    }
  }

  /// Whether it has been stepped to a row and not finished.
  var isRunning: Bool { sqlite3_stmt_busy(handle) != 0 }

  /// The row that the last step came to.
  var row: ResultRow { ResultRow(handle) }

  /// Ends the run, so that no lock and no copy of an argument stays behind.
  func finish() {
    sqlite3_reset(handle)
    if placeholders > 0 { sqlite3_clear_bindings(handle) }
  }

  private func failure(_ code: Int32) -> DatabaseError {
    DatabaseError(code, on: sqlite3_db_handle(handle))
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
