import HearthTime

extension Message {
  /// The mail as it would travel: RFC 5322 headers and a `multipart/alternative` body.
  package var mime: String {
    // Encoded bodies cannot hold this: in quoted-printable a "=" is followed by digits or an end.
    let boundary = "=_hearth_\(id)"
    var headers = [
      ("From", senderName.map { MimeText.mailbox($0, sender) } ?? MimeText.address(sender)),
      ("To", MimeText.address(recipient)),
      ("Subject", MimeText.unstructured(subject)),
      ("Date", createdAt.mailDate),
      ("Message-ID", "<\(id).\(createdAt.milliseconds)@\(MimeText.domain(of: sender))>"),
      ("Content-Language", locale),
      ("X-Hearth-Type", MimeText.unstructured(type)),
      ("MIME-Version", "1.0"),
      ("Content-Type", "multipart/alternative;\r\n boundary=\"\(boundary)\""),
    ]
    if let replyTo { headers.insert(("Reply-To", MimeText.address(replyTo)), at: 1) }
    var output = ""
    for (name, value) in headers { output += "\(name): \(value)\r\n" }
    for (type, body) in [("plain", text), ("html", html)] {
      output += "\r\n--\(boundary)\r\n"
      output += "Content-Type: text/\(type); charset=utf-8\r\n"
      output += "Content-Transfer-Encoding: quoted-printable\r\n\r\n"
      output += MimeText.quotedPrintable(body)
    }
    return output + "\r\n--\(boundary)--\r\n"
  }
}

extension Timestamp {
  /// `Fri, 21 Aug 2026 09:30:00 +0000`.
  fileprivate var mailDate: String {
    let parts = iso8601.split { "-T:.Z".contains($0) }
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    guard parts.count == 7, let month = Int(parts[1]), (1...12).contains(month) else {
      return iso8601
    }
    // The epoch was a Thursday.
    let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    let day = (seconds - (seconds % 86_400 + 86_400) % 86_400) / 86_400
    let weekday = weekdays[Int((day % 7 + 7) % 7)]
    return "\(weekday), \(parts[2]) \(months[month - 1]) \(parts[0]) "
      + "\(parts[3]):\(parts[4]):\(parts[5]) +0000"
  }
}
