extension MimeMessage {
  /// Reads a mail as it was sent. The time that takes grows with its length alone.
  package init(_ raw: [UInt8]) {
    self.init()
    var parser = MimeParser(raw)
    let root = parser.root()
    var defects = parser.defects
    read(root.headers, &defects)
    let body = MimeBody(root, raw, &defects)
    if !body.texts.isEmpty { text = MimeBody.joined(body.texts) }
    if !body.htmls.isEmpty { html = MimeBody.joined(body.htmls) }
    attachments = body.attachments
    self.defects = defects.texts
  }

  private mutating func read(_ block: HeaderBlock, _ defects: inout MailDefects) {
    headers = block.fields.map { MimeHeader($0.name, EncodedWords.decode($0.value, &defects)) }
    subject = header("subject") ?? ""
    from = block.first("from").map { AddressList.parse($0, &defects) } ?? []
    to = addresses(block, "to", &defects)
    cc = addresses(block, "cc", &defects)
    bcc = addresses(block, "bcc", &defects)
    replyTo = addresses(block, "reply-to", &defects)
    messageId = header("message-id").flatMap(Self.identifier)
  }

  /// Of all headers of that name.
  private func addresses(
    _ block: HeaderBlock, _ name: String, _ defects: inout MailDefects
  ) -> [MimeAddress] {
    var addresses: [MimeAddress] = []
    for field in block.fields where field.name.lowercased() == name {
      addresses += AddressList.parse(field.value, &defects)
    }
    return Array(addresses.prefix(AddressList.most))
  }

  private static func identifier(_ value: String) -> String? {
    let inner = value.drop { $0 != "<" }.dropFirst().prefix { $0 != ">" }
    let identifier = inner.isEmpty ? value.trimmedText : String(inner).trimmedText
    return identifier.isEmpty ? nil : identifier
  }
}
