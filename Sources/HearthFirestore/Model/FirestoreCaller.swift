package import HearthWire

/// Who calls, as rules see it.
package enum FirestoreCaller: Sendable {
  /// `Bearer owner`: rules do not apply.
  case owner
  case nobody
  /// The claims of an ID token.
  case user(JSONObject)

  package var isOwner: Bool { if case .owner = self { true } else { false } }
}
