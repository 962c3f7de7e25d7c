#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Notices when files change. A file that is missing has not changed: editors replace files by renaming.
struct FileWatch {
  let paths: [String]

  /// Calls the body with the path of each file that has changed, until the task is cancelled.
  func run(_ changed: (String) -> Void) async {
    var known = modificationDates
    while !Task.isCancelled {
      // The machine's time: files change in it, whatever clocks the projects have.
      try? await Task.sleep(for: .milliseconds(500))
      for (path, date) in modificationDates where known[path] != date {
        known[path] = date
        changed(path)
      }
    }
  }

  private var modificationDates: [String: Date] {
    let dates = paths.compactMap { path -> (String, Date)? in
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      return (attributes?[.modificationDate] as? Date).map { (path, $0) }
    }
    return Dictionary(dates, uniquingKeysWith: { $1 })
  }
}
