/// Why an export or import cannot be done.
package struct ExportError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }

  /// What is wrong with a record of a file: its number, from 1, and where it begins.
  package init(_ path: String, record: Int, byte: Int, words: String) {
    description = "\(path), record \(record) at byte \(byte): \(words)"
  }
}
