package import HearthFirestore
import HearthTime
import HearthWire
import SwiftProtobuf

/// One change of one document, as triggers and webhooks see it.
///
/// It holds the document before and after as the commit had them, so that deliveries do not depend
/// on what is written later.
package struct DocumentEvent: Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    case created, updated, deleted
  }

  package let database: DatabaseName
  package let change: ObservedChange
  /// Of the commit, in microseconds.
  package let time: Int64
  package let caller: FirestoreCaller
  /// What functions of the first generation, and webhooks, get as its id.
  package let id: String
  package let kind: Kind

  package init(
    _ change: ObservedChange, in database: DatabaseName, time: Int64, by caller: FirestoreCaller,
    id: String
  ) {
    self.database = database
    self.change = change
    self.time = time
    self.caller = caller
    self.id = id
    kind = change.before == nil ? .created : change.after == nil ? .deleted : .updated
  }

  /// Below `documents`.
  package var segments: [String] { change.path.segments }
  /// `users/ada`.
  package var document: String { segments.joined(separator: "/") }
  /// The full name.
  package var name: String { change.path.text }
}

extension DocumentEvent {
  /// Who wrote, in the words of CloudEvents' extension for it. Production has no word of its own for
  /// users of an app: they are `unknown`, with their uid.
  var writer: (type: String, id: String?) {
    switch caller {
    case .owner:
      ("service_account", "firebase-adminsdk@\(database.project).iam.gserviceaccount.com")
    case .nobody: ("unauthenticated", nil)
    case .user(let claims): ("unknown", claims["sub"]?.string ?? claims["user_id"]?.string)
    }
  }

  /// The time of the commit.
  var timeText: String {
    let time = Google_Protobuf_Timestamp(microseconds: time)
    return Timestamp.text(seconds: time.seconds, nanoseconds: Int64(time.nanos))
  }

  /// Only the seconds of it.
  var secondsText: String {
    Timestamp.text(
      seconds: Google_Protobuf_Timestamp(microseconds: time).seconds, nanoseconds: 0)
  }
}
