import HearthMime

extension MimeAddress {
  /// The addresses in a text such as `Ann <ann@example.com>, bob@example.com`.
  static func list(_ text: String) -> [MimeAddress] {
    // Read as a header, on one line.
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    return MimeMessage(Array("To: \(line)\r\n\r\n".utf8)).to
  }
}
