package import HearthErrors
import HearthMime
package import HearthOperations
import HearthPages
import HearthWire

/// The mail as it travels: with what a mail server writes above it.
package enum GetRawMail: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let message = try Mailbox(in: project).message(named: request.path["messageId"])
    return .answer(try MailForm.mime.answer(message, in: project))
  }
}

/// A file that is attached to a mail. Browsers save it, and do not show it: but a PDF is shown to a frame
/// of the console that asks for it with `view=1`.
package enum GetAttachment: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let message = try Mailbox(in: project).message(named: request.path["messageId"])
    let name = request.path["attachment"] ?? ""
    let missing = APIError(.notFound, detail: "message \(message.id) has no attachment \(name)")
    guard let number = Int(name), let mail = try Mailbox(in: project).storedMail(message.id) else {
      throw missing
    }
    let isViewed = request.query["view"] == "1"
    let pool = project.server.mail
    return .away { () async throws(APIError) in
      let answer = try await pool.run { () throws(APIError) in
        let found = MimeMessage(try mail.unpacked()).attachments.first { $0.number == number }
        guard let found else { throw missing }
        return isViewed && found.isPDF ? found.view : found.answer
      }
      return { (_, _) throws(APIError) in .answer(answer) }
    }
  }
}

extension MimeAttachment {
  fileprivate var answer: Answer {
    let name = fileName ?? "attachment-\(number)"
    let disposition =
      "attachment; filename*=UTF-8\'\'" + PercentCoding.encodeComponent(name)
    return Answer(
      status: 200, body: .bytes(content, contentType: Self.safe(contentType)),
      headers: HTML.headers(policy: "default-src 'none'; sandbox")
        + [("Content-Disposition", disposition)])
  }

  /// By its first bytes too: what is shown is never a page.
  fileprivate var isPDF: Bool { content.starts(with: Array("%PDF-".utf8)) }

  /// For the browser's own viewer, which no frame with a sandbox has.
  fileprivate var view: Answer {
    Answer(
      status: 200, body: .bytes(content, contentType: "application/pdf"),
      headers: HTML.headers(
        policy: "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; "
          + "frame-ancestors 'self'")
        + [("Content-Disposition", "inline")])
  }

  /// A type that can stand in a header.
  private static func safe(_ type: String) -> String {
    let isPlain = type.utf8.allSatisfy { $0.isASCIIAlphanumeric || "/.+-_".utf8.contains($0) }
    return isPlain && type.contains("/") ? type : "application/octet-stream"
  }
}

/// The HTML of a mail, for a frame of the console: without scripts and forms, and without pictures of
/// other servers unless `images=1` asks for them.
package enum GetSafeHTML: Operation {
  package struct Request: OperationRequest {
    let id: String?
    let showsPictures: Bool

    package init(_ wire: WireRequest) throws(APIError) {
      id = wire.path["messageId"]
      switch wire.query["images"] {
      case nil, "0": showsPictures = false
      case "1": showsPictures = true
      default: throw APIError(.invalidArgument, detail: "\"images\" must be 0 or 1")
      }
    }
  }

  package static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let message = try Mailbox(in: project).message(named: request.id)
    let base =
      "/emulator/v1/projects/\(PercentCoding.encodeComponent(project.projectId))/messages/"
      + "\(message.id)/attachments/"
    let pool = project.server.mail
    return .away { () async throws(APIError) in
      let shown = try await pool.run { () throws(APIError) in
        preview(of: message, attachments: base, showsPictures: request.showsPictures)
      }
      return { (_, _) throws(APIError) in
        .answer(answer(shown, showsPictures: request.showsPictures))
      }
    }
  }

  /// Bytes of HTML that are shown: more takes seconds to be made harmless, and no browser likes it.
  private static let most = 2 << 20

  private struct Preview: Sendable {
    let html: SafeHTML
    let isCut: Bool
  }

  private static func preview(
    of message: Message, attachments base: String, showsPictures: Bool
  ) -> Preview {
    let whole = message.html.isEmpty ? "<pre>\(HTML.escape(message.text))</pre>" : message.html
    let attachments = message.details?["attachments"]?.array ?? []
    let isCut = whole.utf8.count > most
    let source = isCut ? String(decoding: whole.utf8.prefix(most), as: UTF8.self) : whole
    let html = SafeHTML(source, showsRemotePictures: showsPictures) { id in
      attachments.first { $0["cid"]?.string == id }?["id"]?.integer.map { base + String($0) }
    }
    return Preview(html: html, isCut: isCut)
  }

  private static func answer(_ preview: Preview, showsPictures: Bool) -> Answer {
    let pictures = showsPictures ? "'self' data: http: https:" : "'self' data:"
    let policy =
      "default-src 'none'; style-src 'unsafe-inline'; img-src \(pictures); base-uri 'none'; "
      + "form-action 'none'; frame-ancestors 'self'; "
      + "sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox"
    // Above it: what is cut off may have left elements open.
    let words =
      preview.isCut
      ? "<p><b>Only the first \(most >> 20) MB are shown. The raw message has all of it.</b></p>"
      : ""
    let page = """
      <!doctype html><meta charset="utf-8"><base target="_blank">
      <meta name="hidden-pictures" content="\(preview.html.hiddenPictures)">
      \(words)\(preview.html.html)
      """
    return Answer(
      status: 200, body: .text(page, contentType: HTML.contentType),
      headers: HTML.headers(policy: policy))
  }
}
