/// A mail as mail programs show it: RFC 5322 and MIME, read leniently.
///
/// Reading never fails. What is malformed is read as well as it can be, and named in ``defects``.
package struct MimeMessage: Sendable {
  /// All headers in their order, unfolded, with encoded words decoded.
  package var headers: [MimeHeader] = []
  package var from: [MimeAddress] = []
  package var to: [MimeAddress] = []
  package var cc: [MimeAddress] = []
  package var bcc: [MimeAddress] = []
  package var replyTo: [MimeAddress] = []
  package var subject = ""
  /// Without angle brackets.
  package var messageId: String?
  /// The body as plain text. Nil when the mail has HTML alone.
  package var text: String?
  /// The body as HTML, as it was sent. Nil when the mail has plain text alone.
  package var html: String?
  package var attachments: [MimeAttachment] = []
  /// What is wrong with the mail, in words for its reader.
  package var defects: [String] = []

  package init() {}

  /// The first header of a name, which is compared without case.
  package func header(_ name: String) -> String? {
    let name = name.lowercased()
    return headers.first { $0.name.lowercased() == name }?.value
  }
}

package struct MimeHeader: Sendable, Equatable {
  package var name: String
  package var value: String

  package init(_ name: String, value: String) {
    self.name = name
    self.value = value
  }
}

package struct MimeAddress: Sendable, Equatable {
  /// The display name.
  package var name: String?
  /// The address itself. Empty when only a name was given.
  package var address: String

  package init(name: String? = nil, address: String) {
    self.name = name
    self.address = address
  }
}

/// A part of a mail that is not its body: an attached file, or a picture within the HTML.
package struct MimeAttachment: Sendable {
  /// Counts from 1 in the order of the parts.
  package var number: Int
  package var fileName: String?
  /// Type and subtype in lower case, such as `image/png`.
  package var contentType: String
  /// Without angle brackets. HTML refers to it as `cid:…`.
  package var contentId: String?
  /// Whether the HTML shows it.
  package var isInline: Bool
  package var content: [UInt8]

  package init(
    number: Int, fileName: String? = nil, contentType: String, contentId: String? = nil,
    isInline: Bool = false, content: [UInt8]
  ) {
    self.number = number
    self.fileName = fileName
    self.contentType = contentType
    self.contentId = contentId
    self.isInline = isInline
    self.content = content
  }
}
