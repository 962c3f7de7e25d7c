import HearthErrors
import HearthFirestore
import HearthFirestoreProtos
import HearthWire

/// The documents of the collection of templates.
struct MailTemplates {
  /// How many documents of the collection are looked at.
  private static let most: Int32 = 500

  private let templates: [String: JSONObject]
  private let partials: [JSONObject]

  init(_ collection: String, of delivery: DocumentDelivery) async throws(MailProblem) {
    var templates: [String: JSONObject] = [:]
    var partials: [JSONObject] = []
    for (id, fields) in try await Self.documents(collection, delivery: delivery) {
      let name = fields["name"]?.string.nonEmpty ?? id
      if fields["partial"]?.bool == true {
        var partial = fields
        partial["name"] = .string(name)
        partials.append(partial)
      } else {
        templates[name] = fields
      }
    }
    self.templates = templates
    self.partials = partials
  }

  private static func documents(
    _ collection: String, delivery: DocumentDelivery
  ) async throws(MailProblem) -> [(id: String, fields: JSONObject)] {
    let segments = collection.split(separator: "/")
    var request = ListDocumentsRequest()
    request.parent = ([delivery.database.documents] + segments.dropLast().map(String.init))
      .joined(separator: "/")
    request.collectionID = segments.last.map(String.init) ?? ""
    request.pageSize = most
    do throws(APIError) {
      var found: [(id: String, fields: JSONObject)] = []
      repeat {
        let page = try await delivery.firestore.listDocuments(request, as: .owner)
        for document in page.documents {
          let id = document.name.split(separator: "/").last.map(String.init) ?? ""
          found.append((id, try PlainFields.read(document)))
        }
        request.pageToken = page.nextPageToken
      } while !request.pageToken.isEmpty && found.count < most
      return found
    } catch {
      throw .other(error.message)
    }
  }

  /// Lays what a template makes over the mail.
  func apply(_ name: String, data: JSON, to mail: inout MailDocument) throws(MailProblem) {
    guard let template = templates[name] else {
      throw .other("Tried to render non-existent template '\(name)'")
    }
    do throws(HandlebarsError) {
      if let subject = try render("subject", of: template, data: data) { mail.subject = subject }
      if let text = try render("text", of: template, data: data) { mail.text = text }
      if let html = try render("html", of: template, data: data) { mail.html = html }
      if let attachments = try attachments(of: template, data) { mail.attachments = attachments }
    } catch {
      throw .other(error.description)
    }
  }

  /// Only HTML is escaped.
  private func render(
    _ kind: String, of template: JSONObject, data: JSON
  ) throws(HandlebarsError) -> String? {
    guard let source = template[kind]?.string else { return nil }
    var options = HandlebarsTemplate.Options(escapes: kind == "html")
    for partial in partials {
      guard let name = partial["name"]?.string, let text = partial[kind]?.string else { continue }
      options.partials[name] = try HandlebarsTemplate(text)
    }
    return try HandlebarsTemplate(source).render(data, options: options)
  }

  /// The list is one template, as JSON.
  private func attachments(
    of template: JSONObject, _ data: JSON
  ) throws(HandlebarsError) -> [MailDocument.Attachment]? {
    guard let list = template["attachments"], list.array?.isEmpty == false else { return nil }
    let options = HandlebarsTemplate.Options(isStrict: true)
    let text = try HandlebarsTemplate(list.text).render(data, options: options)
    guard let rendered = (try? JSON.parse(text))?.array else {
      throw HandlebarsError("The attachments of the template are not JSON any more: \(text)")
    }
    return rendered.compactMap(MailDocument.attachment)
  }
}
