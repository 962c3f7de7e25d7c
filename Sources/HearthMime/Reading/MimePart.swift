/// One part of a mail: its headers, and where its body is in the raw mail.
struct MimePart {
  var headers: HeaderBlock
  var type: StructuredHeader
  var body: Range<Int>
  var parts: [MimePart] = []

  var isMultipart: Bool { !parts.isEmpty }
}

/// Cuts a mail into its parts. https://www.rfc-editor.org/rfc/rfc2046#section-5.1
struct MimeParser {
  static let deepest = 20
  static let mostParts = 1_000

  let raw: [UInt8]
  var defects = MailDefects()
  private var partCount = 0

  init(_ raw: [UInt8]) { self.raw = raw }

  mutating func root() -> MimePart {
    part(0..<raw.count, depth: 0, defaultType: "text/plain")
  }

  private mutating func part(_ range: Range<Int>, depth: Int, defaultType: String) -> MimePart {
    partCount += 1
    let headers = HeaderBlock(raw, range: range, isTop: depth == 0, defects: &defects)
    var type = headers.first("content-type").map { StructuredHeader($0, defects: &defects) }
    if let value = type?.value, !Self.isType(value) {
      if !value.isEmpty { defects.add("The content type \(value.prefix(80)) is invalid.") }
      type?.value = defaultType
    }
    var part = MimePart(
      headers: headers, type: type ?? StructuredHeader(value: defaultType),
      body: headers.end..<max(headers.end, range.upperBound))
    if part.type.value.hasPrefix("multipart/") { divide(&part, depth: depth) }
    return part
  }

  /// `type/subtype`.
  private static func isType(_ value: String) -> Bool {
    let pieces = value.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return pieces.count == 2
      && pieces.allSatisfy { piece in
        !piece.isEmpty && piece.allSatisfy { (33...126).contains($0) }
      }
  }

  private mutating func divide(_ part: inout MimePart, depth: Int) {
    guard let boundary = part.type.parameters["boundary"], !boundary.isEmpty else {
      defects.add("A multipart names no boundary; it is shown as text.")
      part.type.value = "text/plain"
      return
    }
    guard depth < Self.deepest else {
      defects.add("Parts are nested more than \(Self.deepest) deep.")
      part.type.value = "application/octet-stream"
      return
    }
    var ranges = ranges(part.body, boundary: Array(boundary.utf8))
    if ranges.isEmpty {
      defects.add("The boundary of a multipart is missing; it is shown as text.")
      part.type.value = "text/plain"
      return
    }
    if partCount + ranges.count > Self.mostParts {
      defects.add("There are more than \(Self.mostParts) parts; the rest is not shown.")
      ranges.removeLast(min(ranges.count, partCount + ranges.count - Self.mostParts))
    }
    let defaultType = part.type.value == "multipart/digest" ? "message/rfc822" : "text/plain"
    for range in ranges where partCount < Self.mostParts {
      part.parts.append(self.part(range, depth: depth + 1, defaultType: defaultType))
    }
    if part.parts.isEmpty { part.type.value = "application/octet-stream" }
  }

  /// What is between the lines of the boundary. The last one need not be closed.
  private mutating func ranges(_ body: Range<Int>, boundary: [UInt8]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start: Int?
    var line = body.lowerBound
    while line < body.upperBound {
      let end = raw[line..<body.upperBound].firstIndex(of: ASCII.lineFeed) ?? body.upperBound
      if let isLast = delimiter(line..<end, boundary: boundary) {
        if let start, ranges.count < Self.mostParts {
          ranges.append(start..<max(start, contentEnd(before: line, start)))
        }
        start = isLast ? nil : min(end + 1, body.upperBound)
        if isLast { return ranges }
      }
      line = end + 1
    }
    if let start {
      defects.add("A multipart is not closed.")
      if ranges.count < Self.mostParts { ranges.append(start..<body.upperBound) }
    }
    return ranges
  }

  /// Whether the line is the last delimiter; nil if it is not a delimiter.
  private func delimiter(_ line: Range<Int>, boundary: [UInt8]) -> Bool? {
    let dash = UInt8(ascii: "-")
    guard line.count >= boundary.count + 2, raw[line.lowerBound] == dash,
      raw[line.lowerBound + 1] == dash,
      raw[(line.lowerBound + 2)..<line.upperBound].starts(with: boundary)
    else { return nil }
    let rest = raw[(line.lowerBound + 2 + boundary.count)..<line.upperBound]
    if rest.starts(with: "--".utf8) { return rest.dropFirst(2).trimmed.isEmpty ? true : nil }
    return rest.trimmed.isEmpty ? false : nil
  }

  /// The line end before a delimiter belongs to the delimiter.
  private func contentEnd(before line: Int, _ start: Int) -> Int {
    var end = line
    if end > start, raw[end - 1] == ASCII.lineFeed { end -= 1 }
    if end > start, raw[end - 1] == ASCII.carriageReturn { end -= 1 }
    return end
  }
}
