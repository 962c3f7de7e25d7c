import HearthErrors
import HearthIndexes
import HearthSettings
import HearthWire

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Writes `firestore.indexes.json`.
enum IndexFile {
  /// Adds indexes to those of a file, in the order of Google's tool. Comments do not stay.
  static func add(_ body: JSON, to path: String) throws(APIError) {
    let known: IndexConfiguration
    do throws(ConfigurationError) {
      known = try Configuration.readIndexes(path)
    } catch {
      throw APIError(.failedPrecondition, message: error.description)
    }
    let added: IndexConfiguration
    do throws(IndexFileError) {
      added = try IndexConfiguration(body)
    } catch {
      throw APIError(.invalidArgument, detail: error.description)
    }
    do {
      let text = known.merged(with: added).json.prettyBytes + [UInt8(ascii: "\n")]
      try Data(text).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw APIError(.failedPrecondition, message: "cannot write \(path): \(error)")
    }
  }
}
