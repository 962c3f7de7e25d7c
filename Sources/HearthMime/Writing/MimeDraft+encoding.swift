extension MimeDraft {
  /// The mail as RFC 5322 text.
  ///
  /// The boundary separates the parts. It must not occur in them; random letters and digits of ASCII
  /// do not. The date is written as it is given; the message id has its brackets or not.
  package func encoded(boundary: String, date: String? = nil, messageId: String? = nil) -> [UInt8] {
    var output = MimeOutput()
    writeHeaders(&output, date: date, messageId: messageId)
    output.line("MIME-Version: 1.0")
    body(boundary).write(&output)
    return output.bytes
  }

  private func writeHeaders(_ output: inout MimeOutput, date: String?, messageId: String?) {
    output.addresses("From", addresses: [from])
    output.addresses("To", addresses: to)
    output.addresses("Cc", addresses: cc)
    output.addresses("Reply-To", addresses: replyTo)
    output.header("Subject", value: subject)
    if let date { output.header("Date", value: date) }
    if let messageId {
      let id = messageId.filter { $0 != "<" && $0 != ">" && !$0.isWhitespace }
      output.line("Message-ID: <\(id)>")
    }
    for header in headers where !Self.ownHeaders.contains(header.name.lowercased()) {
      output.header(header.name, value: header.value)
    }
  }

  /// Headers that the draft writes from its fields, or from its parts.
  private static let ownHeaders: Set<String> = [
    "from", "to", "cc", "bcc", "reply-to", "subject", "mime-version", "content-type",
    "content-transfer-encoding", "content-disposition",
  ]

  /// Mixed with attachments, related to inline pictures, alternatives of text and HTML: as far as
  /// each is needed.
  private func body(_ boundary: String) -> MimeOutput.Part {
    var part: MimeOutput.Part
    switch (text, html) {
    case (let text?, let html?):
      part = .multipart(
        "alternative", boundary: boundary + "-1", [.text("plain", text), .text("html", html)])
    case (nil, let html?): part = .text("html", html)
    case (let text, nil): part = .text("plain", text ?? "")
    }
    let isInline: (MimeAttachment) -> Bool = { html != nil && $0.isInline && $0.contentId != nil }
    let pictures = attachments.filter(isInline)
    let files = attachments.filter { !isInline($0) }
    if !pictures.isEmpty {
      part = .multipart(
        "related", boundary: boundary + "-2", [part] + pictures.map { .file($0, isInline: true) })
    }
    if !files.isEmpty {
      part = .multipart(
        "mixed", boundary: boundary + "-3", [part] + files.map { .file($0, isInline: false) })
    }
    return part
  }
}
