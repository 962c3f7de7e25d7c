/// Bodies of HTTP requests that are written as the parts of a mail are: `multipart/form-data`.
package enum MimeForm {
  package struct Part: Sendable {
    package var name: String
    package var fileName: String?
    package var contentType: String
    package var content: [UInt8]
  }

  /// The fields in their order. None where the body does not hold what its type says.
  package static func parts(contentType: String, body: [UInt8]) -> [Part] {
    let raw = Array("Content-Type: \(contentType.filter { !$0.isNewline })\r\n\r\n".utf8) + body
    var parser = MimeParser(raw)
    let root = parser.root()
    return root.parts.compactMap { part in
      var defects = MailDefects()
      let disposition = part.headers.first("content-disposition")
        .map { StructuredHeader($0, defects: &defects) }
      guard let disposition, let name = disposition.parameters["name"] else { return nil }
      return Part(
        name: name, fileName: disposition.parameters["filename"], contentType: part.type.value,
        content: Array(raw[part.body]))
    }
  }
}
