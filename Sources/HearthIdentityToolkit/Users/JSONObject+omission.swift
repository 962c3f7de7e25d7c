import HearthWire

extension JSONObject {
  /// Without the members of a member that are false: production does not answer them, and its
  /// libraries compare whole answers.
  func omittingFalse(in member: String) -> JSONObject {
    guard let settings = self[member]?.object else { return self }
    var object = self
    object[member] = .object(JSONObject(members: settings.members.filter { $0.value != false }))
    return object
  }
}
