import HearthMime
import HearthWire

/// The fields of a form, in either of its two encodings.
struct FormData {
  struct File {
    var field: String
    var attachment: MimeAttachment
  }

  private(set) var fields: [FormFields.Pair] = []
  private(set) var files: [File] = []

  init(_ call: MailCall) {
    let type = call.headers["content-type"] ?? ""
    guard type.lowercased().hasPrefix("multipart/form-data") else {
      fields = FormFields(parsing: String(decoding: call.body, as: UTF8.self)).pairs
      return
    }
    for part in MimeForm.parts(contentType: type, body: call.body) {
      if let fileName = part.fileName {
        let attachment = MimeAttachment(
          number: files.count + 1, fileName: fileName, contentType: part.contentType,
          content: part.content)
        files.append(File(field: part.name, attachment: attachment))
      } else {
        let value = String(decoding: part.content, as: UTF8.self)
        fields.append(FormFields.Pair(name: part.name, value: value))
      }
    }
  }

  subscript(name: String) -> String? { fields.first { $0.name == name }?.value.nonEmpty }

  func all(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

  func files(_ field: String) -> [MimeAttachment] {
    files.filter { $0.field == field }.map(\.attachment)
  }
}
