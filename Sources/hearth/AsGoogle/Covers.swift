/// Files of the machine that the command sees differently: each is covered by another one.
///
/// The process in the namespace reads them from a file, a line for each: parts with tabs between
/// them. Paths with a tab or a line end cannot be covered.
struct Covers {
  struct Cover: Equatable {
    /// What is seen, and in whose place.
    let source: String
    let target: String
    /// Whether the command may not start where the target does not exist.
    let isRequired: Bool
  }

  /// In the order in which they are laid.
  private(set) var covers: [Cover] = []

  init() {}

  /// The kernel covers a folder by a folder only, and a file or a socket by anything else.
  mutating func cover(_ target: String, with source: String, isRequired: Bool = false) {
    covers.append(Cover(source: source, target: target, isRequired: isRequired))
  }

  var text: String {
    covers.map { "\($0.isRequired ? "required" : "optional")\t\($0.source)\t\($0.target)\n" }
      .joined()
  }

  /// Reads what ``text`` has written. Lines of another form are left out.
  init(text: String) {
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "\t").map(String.init)
      guard parts.count == 3 else { continue }
      cover(parts[2], with: parts[1], isRequired: parts[0] == "required")
    }
  }
}
