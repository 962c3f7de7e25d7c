import HearthErrors

/// What may be the id of a project.
///
/// Looser than Google's rules: tests use all kinds of names. What cannot stand in a path, or would
/// hide in a log, is refused.
enum ProjectID {
  private static let largest = 128
  private static let refused = Set("/?#% \"<>\\".unicodeScalars)

  static func isUsable(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= largest && text != "." && text != ".."
      && text.unicodeScalars.allSatisfy { scalar in
        !refused.contains(scalar) && scalar.properties.generalCategory != .control
      }
  }

  static func check(_ text: String?) throws(APIError) {
    guard let text, !text.isEmpty else { return }
    guard isUsable(text) else {
      throw APIError(
        .invalidArgument,
        "a project id has at most \(largest) bytes, and none of / ? # % \" < > \\, spaces and "
          + "control characters")
    }
  }
}
