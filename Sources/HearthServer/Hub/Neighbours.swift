package import HearthWire
import Synchronization

/// The emulators that other programs run beside this server, as the hub lists them. A class, because
/// who starts them tells of them later.
package final class Neighbours: Sendable {
  private let entries = Mutex(JSONObject())
  /// Those of the other program's hub that this one has itself.
  private static let own: Set<String> = ["hub", "ui", "auth", "firestore"]

  /// By their names, as a hub answers.
  package var emulators: JSONObject {
    get { entries.withLock(\.self) }
    set {
      let others = JSONObject(members: newValue.members.filter { !Self.own.contains($0.key) })
      entries.withLock { $0 = others }
    }
  }
}
