#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Notices when files change. A file that is missing has not changed: editors replace files by
/// renaming.
package struct FileWatch {
  /// The clock of a file system stands still for some milliseconds, so a file that is being written
  /// may change twice at one time.
  private struct State: Equatable {
    let date: Date?
    let size: UInt?
  }

  private let first: [String: State?]

  /// Notes the state of the files, before they are read.
  package init(paths: some Sequence<String>) {
    first = Dictionary(paths.map { ($0, Self.state(of: $0)) }, uniquingKeysWith: { $1 })
  }

  package var isEmpty: Bool { first.isEmpty }

  /// Calls the body with the path of each file that has changed, until the task is cancelled.
  package func run(_ changed: (String) -> Void) async {
    var known = first
    while !Task.isCancelled {
      for (path, state) in known {
        guard let current = Self.state(of: path), current != state else { continue }
        known[path] = current
        changed(path)
      }
      // The machine's time: files change in it, whatever clocks the projects have.
      try? await Task.sleep(for: .milliseconds(500))
    }
  }

  private static func state(of path: String) -> State? {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else {
      return nil
    }
    return State(
      date: attributes[.modificationDate] as? Date,
      size: attributes[.size] as? UInt)
  }
}
