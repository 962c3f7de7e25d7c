package import HearthFirestore
package import HearthIndexes
package import HearthOperations
import HearthWire
package import Logging

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Configuration {
  /// The indexes that the files list; nil for a file that cannot be used, where that does not end the
  /// start.
  ///
  /// - Throws: ``ConfigurationError`` with all mistakes of a file that was asked for.
  package func indexes(_ logger: Logger) throws(ConfigurationError) -> [String: IndexConfiguration?]
  {
    let isRequired = requiresIndexFiles || initialSwitches.indexes == .enforce
    var configurations: [String: IndexConfiguration?] = [:]
    for (database, path) in indexFiles.sorted(by: { $0.key < $1.key }) {
      do throws(ConfigurationError) {
        configurations[database] = .some(try Self.readIndexes(path))
      } catch {
        if isRequired { throw error }
        logger.warning("Indexes are not checked: \(error.description)")
        configurations[database] = .some(nil)
      }
    }
    return configurations
  }

  /// Reads the files into the table, and has missing indexes reported.
  package func readIndexes(
    into table: IndexTable, server: ServerFacts, logger: Logger
  ) throws(ConfigurationError) {
    table.replaceStandard(try indexes(logger))
    table.reportMissing(to: server, logger)
  }

  package static func readIndexes(_ path: String) throws(ConfigurationError) -> IndexConfiguration {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw ConfigurationError("cannot read the file of indexes \(path)")
    }
    do throws(IndexFileError) {
      return try IndexConfiguration(reading: Array(data))
    } catch {
      throw ConfigurationError(
        error.mistakes.map { "\(path): \($0.description)" }.joined(separator: "\n"))
    }
  }

  /// The file that indexes of a database are written to; nil where none is.
  package func writtenIndexFile(of database: DatabaseName) -> String? {
    writesIndexFiles ? indexFiles[database.database] : nil
  }

  /// Reads a file of indexes again. One with a mistake is not taken over.
  package func readIndexesAgain(_ path: String, into table: IndexTable, logger: Logger) {
    do throws(ConfigurationError) {
      let configuration = try Self.readIndexes(path)
      for database in indexFiles.keys where indexFiles[database] == path {
        table.replaceStandard(configuration, of: database)
      }
      logger.info("Reloaded the indexes from \(path).")
    } catch {
      logger.warning("Keeping the previous indexes: \(error.description)")
    }
  }
}

extension IndexTable {
  /// Logs each missing index, and publishes it as an event of the project.
  func reportMissing(to server: ServerFacts, _ logger: Logger) {
    observe { [weak self] database, missing in
      guard let json = self?.json(missing, of: database) else { return }
      logger.warning("A query of \(database) misses an index: \(missing.query). \(missing.reason)")
      server.changes.publish([
        .event(project: database.project, name: "indexes.missing", json)
      ])
    }
  }
}
