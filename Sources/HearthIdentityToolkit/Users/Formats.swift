/// What counts as a password.
///
/// Deliberately as loose as the official emulator: what it takes, tests rely on.
enum Formats {
  /// Lengths count UTF-16 code units, as the clients do.
  static func isWeakPassword(_ text: String) -> Bool { text.utf16.count < 6 }
}
