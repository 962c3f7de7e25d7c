extension MimeMessage {
  /// Reads a mail as it was sent. The time that takes grows with its length alone.
  package init(_ raw: [UInt8]) {
    self.init()
    var parser = MimeParser(raw)
    let root = parser.root()
    var defects = parser.defects
    read(root.headers, defects: &defects)
    let body = MimeBody(root, raw: raw, defects: &defects)
    if !body.texts.isEmpty { text = MimeBody.joined(body.texts) }
    if !body.htmls.isEmpty { html = MimeBody.joined(body.htmls) }
    attachments = body.attachments
    self.defects = defects.texts
  }

  private mutating func read(_ block: HeaderBlock, defects: inout MailDefects) {
    headers = block.fields.map {
      MimeHeader($0.name, value: EncodedWords.decode($0.value, defects: &defects))
    }
    subject = header("subject") ?? ""
    from = block.first("from").map { AddressList.parse($0, defects: &defects) } ?? []
    to = addresses(block, name: "to", defects: &defects)
    cc = addresses(block, name: "cc", defects: &defects)
    bcc = addresses(block, name: "bcc", defects: &defects)
    replyTo = addresses(block, name: "reply-to", defects: &defects)
    messageId = header("message-id").flatMap(Self.identifier)
  }

  /// Of all headers of that name.
  private func addresses(
    _ block: HeaderBlock, name: String, defects: inout MailDefects
  ) -> [MimeAddress] {
    var addresses: [MimeAddress] = []
    for field in block.fields where field.name.lowercased() == name {
      addresses += AddressList.parse(field.value, defects: &defects)
    }
    return Array(addresses.prefix(AddressList.most))
  }

  private static func identifier(_ value: String) -> String? {
    let inner = value.drop { $0 != "<" }.dropFirst().prefix { $0 != ">" }
    let identifier = inner.isEmpty ? value.trimmedText : String(inner).trimmedText
    return identifier.isEmpty ? nil : identifier
  }
}
