package import HearthWire
import Synchronization

/// The emulators that other programs run beside this server, as the hub lists them. A class, because
/// who starts them tells of them later.
package final class Neighbours: Sendable {
  /// Puts their parts of an export into a folder: those that are named, or all.
  package typealias Export =
    @Sendable (_ directory: String, _ services: [String]?) async throws(NeighbourFailure) -> Void

  private let entries = Mutex(JSONObject())
  private let exporting = Mutex<Export?>(nil)
  /// Those of the other program's hub that this one has itself.
  private static let own: Set<String> = ["hub", "ui", "auth", "firestore"]

  /// Nil where they have nothing to export.
  package var export: Export? {
    get { exporting.withLock(\.self) }
    set { exporting.withLock { $0 = newValue } }
  }

  /// By their names, as a hub answers.
  package var emulators: JSONObject {
    get { entries.withLock(\.self) }
    set {
      let others = JSONObject(members: newValue.members.filter { !Self.own.contains($0.key) })
      entries.withLock { $0 = others }
    }
  }
}

/// Why other programs have not done what they were asked for.
package struct NeighbourFailure: Error {
  package let message: String

  package init(_ message: String) { self.message = message }
}
