public import Foundation

extension HearthClient {
  /// The code of the newest matching mail or text message; waits for one to arrive.
  ///
  /// - Parameters:
  ///   - address: the recipient: an address, or a phone number.
  ///   - kind: the kind of message; nil for any.
  ///   - last: only messages that are newer than this one.
  ///   - patience: how long to wait, five minutes at most.
  /// - Returns: the code.
  /// - Throws: ``HearthError``, with `NO_SUCH_MAIL` and what arrived instead.
  public func waitForCode(
    to address: String, type kind: Mail.Kind? = nil, after last: Mail? = nil,
    within patience: Duration = .seconds(10)
  ) async throws -> String {
    let mail = try await expectedMail("a code", address, kind, last, patience)
    guard let code = mail.code ?? mail.codes.first else { throw lacking("code", mail) }
    return code
  }

  /// The link of the newest matching mail; waits for one to arrive.
  ///
  /// - Parameters:
  ///   - address: the recipient.
  ///   - kind: the kind of mail; nil for any.
  ///   - last: only mails that are newer than this one.
  ///   - patience: how long to wait, five minutes at most.
  /// - Returns: the link.
  /// - Throws: ``HearthError``, with `NO_SUCH_MAIL` and what arrived instead.
  public func waitForLink(
    to address: String, type kind: Mail.Kind? = nil, after last: Mail? = nil,
    within patience: Duration = .seconds(10)
  ) async throws -> URL {
    let mail = try await expectedMail("a link", address, kind, last, patience)
    guard let link = mail.link ?? mail.links.first, let url = URL(string: link) else {
      throw lacking("link", mail)
    }
    return url
  }

  /// Like ``waitForMail(to:type:after:since:state:within:)``, with an error that tells more.
  private func expectedMail(
    _ content: String, _ address: String, _ kind: Mail.Kind?, _ last: Mail?, _ patience: Duration
  ) async throws -> Mail {
    do {
      return try await waitForMail(to: address, type: kind, after: last, within: patience)
    } catch let error as HearthError where error.httpStatus == 404 {
      let type = kind.map { " (\($0.rawValue))" } ?? ""
      throw HearthError(
        code: "NO_SUCH_MAIL",
        message: "no mail with \(content) to \(address)\(type) within \(patience); "
          + (try await seenMails()),
        httpStatus: 404)
    }
  }

  /// The next message of a kind; an error names the messages that arrived instead.
  func awaited(
    _ kind: Mail.Kind, to recipient: String, after last: Mail?, within patience: Duration
  ) async throws -> Mail {
    do {
      return try await waitForMail(to: recipient, type: kind, after: last, within: patience)
    } catch let error as HearthError where error.httpStatus == 404 {
      throw HearthError(
        code: error.code, message: "\(error.message); \(try await seenMails())", httpStatus: 404)
    }
  }

  private func lacking(_ content: String, _ mail: Mail) -> HearthError {
    HearthError(
      code: "NO_SUCH_MAIL", message: "no \(content) in \(mail.summary)", httpStatus: 404)
  }

  /// What the mailbox of the project has; where it is empty, what the app has asked for.
  private func seenMails() async throws -> String {
    let mails = try await mails()
    guard !mails.isEmpty else {
      return "the mailbox of \(project) is empty, and \(try await seenRequests())"
    }
    let shown = mails.suffix(10).map(\.summary).joined(separator: ", ")
    return mails.count > 10
      ? "the last 10 of \(mails.count) messages: \(shown)" : "the mailbox has \(shown)"
  }
}

extension Mail {
  /// A few words for a message about missing mail.
  fileprivate var summary: String { "\(kind.rawValue) to \(to) \"\(subject)\" (\(state.rawValue))" }
}
