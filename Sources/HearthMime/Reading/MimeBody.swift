import HearthWire

/// Sorts the parts of a mail into its text, its HTML and its attachments.
struct MimeBody {
  private(set) var texts: [String] = []
  private(set) var htmls: [String] = []
  private(set) var attachments: [MimeAttachment] = []

  private let raw: [UInt8]
  private var defects: MailDefects

  init(_ root: MimePart, raw: [UInt8], defects: inout MailDefects) {
    self.raw = raw
    self.defects = defects
    if root.isMultipart {
      walk(root)
    } else {
      single(root)
    }
    markInline()
    defects = self.defects
  }

  /// A mail of one part: any text is its body, unless it says that it is a file.
  private mutating func single(_ root: MimePart) {
    let isFile = disposition(root)?.value == "attachment"
    guard root.type.value.hasPrefix("text/"), !isFile else { return attach(root) }
    let text = text(of: root)
    let isUntyped = root.headers.first("content-type") == nil
    let start = Array(text.utf8.prefix(512))
    let hasTag = start.indices.contains { start.hasBytes("<html", at: $0) }
    if isUntyped, hasTag {
      defects.add("The mail has no content type and looks like HTML.")
      htmls.append(text)
    } else if root.type.value == "text/html" {
      htmls.append(text)
    } else {
      texts.append(text)
    }
  }

  private mutating func walk(_ part: MimePart) {
    switch part.type.value {
    case "multipart/alternative": alternatives(part)
    case "multipart/related": related(part)
    case _ where part.isMultipart:
      for child in part.parts { walk(child) }
    default: leaf(part)
    }
  }

  private mutating func leaf(_ part: MimePart) {
    let disposition = disposition(part)
    let hasName = fileName(part, disposition: disposition) != nil
    let isFile = disposition?.value == "attachment"
    switch part.type.value {
    case "text/plain" where !isFile && (!hasName || texts.isEmpty && htmls.isEmpty):
      texts.append(text(of: part))
    case "text/html" where !isFile && (!hasName || texts.isEmpty && htmls.isEmpty):
      htmls.append(text(of: part))
    default: attach(part)
    }
  }

  /// The first that is plain text, and the last that is HTML. Attachments count wherever they are.
  private mutating func alternatives(_ part: MimePart) {
    let before = (texts, htmls)
    var text: String?
    var html: String?
    for child in part.parts {
      (texts, htmls) = ([], [])
      walk(child)
      if text == nil, !texts.isEmpty { text = Self.joined(texts) }
      if !htmls.isEmpty { html = Self.joined(htmls) }
    }
    texts = before.0 + (text.map { [$0] } ?? [])
    htmls = before.1 + (html.map { [$0] } ?? [])
  }

  /// The root is the first part, or the one that `start` names. The others belong to it.
  private mutating func related(_ part: MimePart) {
    let start = part.type.parameters["start"].map(Self.withoutBrackets)
    let root = part.parts.firstIndex { start != nil && contentId($0) == start } ?? 0
    walk(part.parts[root])
    for (index, child) in part.parts.enumerated() where index != root {
      if child.isMultipart { walk(child) } else { attach(child) }
    }
  }

  // MARK: Parts

  private mutating func disposition(_ part: MimePart) -> StructuredHeader? {
    part.headers.first("content-disposition").map { StructuredHeader($0, defects: &defects) }
  }

  private func fileName(_ part: MimePart, disposition: StructuredHeader?) -> String? {
    let name = disposition?.parameters["filename"] ?? part.type.parameters["name"]
    return name.flatMap { $0.isEmpty ? nil : $0 }
  }

  private func contentId(_ part: MimePart) -> String? {
    part.headers.first("content-id").map { Self.withoutBrackets($0.lenientText) }
  }

  private static func withoutBrackets(_ text: String) -> String {
    var text = text.trimmedText[...]
    if text.hasPrefix("<") { text = text.dropFirst() }
    if text.hasSuffix(">") { text = text.dropLast() }
    return String(text)
  }

  private mutating func content(of part: MimePart) -> [UInt8] {
    let name = part.headers.first("content-transfer-encoding").map {
      $0.prefix { $0 != UInt8(ascii: ";") }.trimmed.lenientText
    }
    return TransferEncoding(name, defects: &defects).decode(raw[part.body])
  }

  private mutating func text(of part: MimePart) -> String {
    let bytes = content(of: part)
    return Self.unixLines(
      Charset.decode(bytes, name: part.type.parameters["charset"], defects: &defects))
  }

  /// With one line feed at the end of each line.
  private static func unixLines(_ text: String) -> String {
    guard text.utf8.contains(ASCII.carriageReturn) else { return text }
    var output: [UInt8] = []
    output.reserveCapacity(text.utf8.count)
    var returns = 0
    for byte in text.utf8 {
      if byte == ASCII.carriageReturn {
        returns += 1
        continue
      }
      if returns > 0, byte != ASCII.lineFeed {
        output.append(contentsOf: repeatElement(ASCII.lineFeed, count: returns))
      }
      returns = 0
      output.append(byte)
    }
    output.append(contentsOf: repeatElement(ASCII.lineFeed, count: returns))
    return String(decoding: output, as: UTF8.self)
  }

  private mutating func attach(_ part: MimePart) {
    let disposition = disposition(part)
    attachments.append(
      MimeAttachment(
        number: attachments.count + 1, fileName: fileName(part, disposition: disposition),
        contentType: part.type.value, contentId: contentId(part), content: content(of: part)))
    if attachments.last?.contentId == nil,
      let location = part.headers.first("content-location")?.lenientText.trimmedText
    {
      locations[attachments.count - 1] = location
    }
  }

  private var locations: [Int: String] = [:]

  /// An attachment is inline if the HTML shows it.
  private mutating func markInline() {
    let references = Set(htmls.flatMap(Self.references))
    for index in attachments.indices {
      if let id = attachments[index].contentId {
        attachments[index].isInline = references.contains(id)
      } else if let location = locations[index], !location.isEmpty {
        attachments[index].isInline = references.contains(location)
      }
    }
  }

  /// What comes after `cid:` and `src=` in HTML.
  private static func references(_ html: String) -> [String] {
    let bytes = Array(html.utf8)
    var found: [String] = []
    var index = 0
    while index + 4 < bytes.count {
      let first = bytes[index] | 0x20
      guard
        (first == UInt8(ascii: "c") && bytes.hasBytes("cid:", at: index))
          || (first == UInt8(ascii: "s") && bytes.hasBytes("src=", at: index))
      else {
        index += 1
        continue
      }
      if bytes[index + 4] == UInt8(ascii: "\"") || bytes[index + 4] == UInt8(ascii: "'") {
        index += 1
      }
      let id = bytes[(index + 4)...].prefix(1_000).prefix {
        !$0.isWhitespace && !"\"'<>)".utf8.contains($0)
      }
      found.append(PercentCoding.decode(String(decoding: id, as: UTF8.self)))
      // What comes after `src=` may be a `cid:` itself.
      index += 4 + (first == UInt8(ascii: "c") ? id.count : 0)
    }
    return found
  }

  static func joined(_ texts: [String]) -> String {
    texts.count == 1 ? texts[0] : texts.joined(separator: "\n")
  }
}
