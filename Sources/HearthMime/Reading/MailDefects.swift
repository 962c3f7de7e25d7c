/// What is wrong with a mail: each kind is named once.
struct MailDefects {
  private(set) var texts: [String] = []
  private static let most = 40

  mutating func add(_ text: String) {
    guard texts.count < Self.most, !texts.contains(text) else { return }
    texts.append(text)
  }
}
