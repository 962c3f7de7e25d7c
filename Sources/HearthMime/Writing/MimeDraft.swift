/// A mail before it is written as RFC 5322 text.
package struct MimeDraft: Sendable {
  package var from: MimeAddress
  package var to: [MimeAddress] = []
  package var cc: [MimeAddress] = []
  package var replyTo: [MimeAddress] = []
  package var subject = ""
  package var text: String?
  package var html: String?
  package var headers: [MimeHeader] = []
  package var attachments: [MimeAttachment] = []

  package init(from: MimeAddress) { self.from = from }
}
