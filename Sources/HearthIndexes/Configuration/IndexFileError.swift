/// What is wrong with a file of indexes.
package struct IndexFileError: Error, Equatable, CustomStringConvertible {
  package struct Mistake: Sendable, Equatable, CustomStringConvertible {
    /// Where in the file, as `indexes[0].fields[1].order`; empty for the whole.
    package let path: String
    package let message: String

    package var description: String { path.isEmpty ? message : "\(path): \(message)" }
  }

  package let mistakes: [Mistake]

  package var description: String { mistakes.map(\.description).joined(separator: "\n") }
}
