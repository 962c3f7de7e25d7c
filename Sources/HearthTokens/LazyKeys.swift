package import HearthTime
import Synchronization

/// Keys that are read or made when somebody first wants one. It owns them, and may be called on any
/// thread.
package final class LazyKeys: Sendable {
  private let directory: String?
  private let folder: String
  private let clock: any HearthClock
  private let made = Mutex<KeySet?>(nil)

  package init(directory: String?, folder: String, clock: any HearthClock) {
    self.directory = directory
    self.folder = folder
    self.clock = clock
  }

  package var keys: KeySet {
    made.withLock { made in
      if let made { return made }
      let keys = KeySet(directory: directory, folder: folder, clock: clock)
      made = keys
      return keys
    }
  }

  /// The keys where there are any; a token cannot be of ours where there is none.
  package var known: KeySet? {
    if let made = made.withLock({ $0 }) { return made }
    guard let directory, KeyFiles(directory: directory, folder: folder).exist else { return nil }
    return keys
  }
}
