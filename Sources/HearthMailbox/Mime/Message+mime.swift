package import HearthTime
import HearthWire

extension Message {
  /// The mail as it would travel: RFC 5322 headers and a `multipart/alternative` body.
  package var mime: String {
    // Encoded bodies cannot hold this: in quoted-printable a "=" is followed by digits or an end.
    let boundary = "=_hearth_\(id)"
    var headers = [
      (
        "From", senderName.map { MimeText.mailbox($0, address: sender) } ?? MimeText.address(sender)
      ),
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

extension Message {
  /// What a mail server writes above the mail of an app: who sent it, when it came, and the blind
  /// copies, which no other header tells.
  var traceHeaders: [UInt8] {
    let envelope = details?["envelope"]
    let from = envelope?["from"]?.string ?? ""
    var lines = "Return-Path: <\(MimeText.address(from))>\r\n"
    lines += "Received: by hearth with \(source ?? "") id \(id);\r\n \(createdAt.mailDate)\r\n"
    let named = Set(
      (details?["headers"]?.array ?? []).compactMap { $0["name"]?.string?.lowercased() })
    let blind = (details?["recipients"]?["bcc"]?.array ?? []).compactMap { $0["address"]?.string }
    if !named.contains("bcc"), !blind.isEmpty {
      lines += "Bcc: " + blind.map(MimeText.address).joined(separator: ",\r\n ") + "\r\n"
    }
    if details?["messageId"] == nil {
      lines += "Message-ID: <\(id).\(createdAt.milliseconds)@hearth.invalid>\r\n"
    }
    return Array(lines.utf8)
  }
}

extension Timestamp {
  /// `Fri, 21 Aug 2026 09:30:00 +0000`.
  package var mailDate: String {
    let time = CalendarTime(self)
    let clock = [time.hour, time.minute, time.second].map { Self.padded($0) }
    return "\(Self.weekdays[time.weekday]), \(Self.padded(time.day)) "
      + "\(Self.months[time.month - 1]) \(Self.padded(time.year, width: 4)) "
      + "\(clock.joined(separator: ":")) +0000"
  }

  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func padded(_ number: Int, width: Int = 2) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
