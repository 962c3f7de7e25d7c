package import HearthErrors
package import HearthTime
package import HearthWire

extension ProjectClocks {
  /// Advances, sets, stops or starts the clock of a project: all that the body asks for, or nothing.
  ///
  /// The body has members of `advance`, a duration, `now`, a time, and `frozen`, a boolean.
  ///
  /// - Throws: INVALID_ARGUMENT.
  package func change(_ project: String, as body: JSONObject) throws(APIError) {
    for name in body.members.map(\.key) where !["advance", "now", "frozen"].contains(name) {
      throw APIError(.invalidArgument, detail: "unknown member '\(name)'")
    }
    var steps: [() -> Void] = []
    if let value = body["frozen"] {
      guard let isFrozen = value.bool else {
        throw APIError(.invalidArgument, detail: "/frozen must be true or false")
      }
      steps.append { self.setStopped(project, isStopped: isFrozen) }
    }
    if let value = body["now"] {
      guard let time = value.string.flatMap(Timestamp.init(iso8601:)) else {
        throw APIError(.invalidArgument, detail: "/now must be a time such as 2027-01-31T09:30:00Z")
      }
      steps.append { self.set(project, to: time) }
    }
    if let value = body["advance"] {
      guard let duration = value.string.flatMap(Duration.init(written:)) else {
        throw APIError(
          .invalidArgument, detail: "/advance must be a duration such as 2h, 1d or PT2H")
      }
      steps.append { self.advance(project, by: duration) }
    }
    // All or nothing.
    let before = setting(of: project)
    for step in steps { step() }
    guard Self.years.contains(now(of: project).seconds) else {
      restore(before, of: project)
      throw APIError(
        .invalidArgument,
        detail: "\(body["advance"] == nil ? "/now" : "/advance") leaves the years 1 to 9998")
    }
  }

  /// The years that timestamps on the wire can tell, but for the last one: a clock that runs must
  /// not come to their end.
  private static let years: ClosedRange<Int64> = -62_135_596_800...253_370_764_799
}
