import HearthMailAPI
import HearthMime
import HearthWire
import Synchronization

/// The send APIs with a store in memory.
final class Inbox: Sendable {
  struct Refused: Error {}

  private let kept = Mutex<[ProviderMail]>([])
  private let ids = Mutex(0)
  private let state = MailAPIState()
  private let seconds = Mutex<Int64>(1_000)

  var mails: [ProviderMail] { kept.withLock { $0 } }

  /// The mails as their readers see them.
  var read: [MimeMessage] {
    mails.map { mail in
      switch mail.content {
      case .draft(let draft): MimeMessage(draft.encoded(boundary: "b"))
      case .raw(let bytes): MimeMessage(bytes)
      }
    }
  }

  func wait(seconds count: Int64) { seconds.withLock { $0 += count } }

  /// `failing` is the status that every request is refused with.
  func send(
    _ method: String, target: String, body: String, headers: [String: String] = [:],
    failing: Int? = nil
  ) async -> Reply {
    let parts = target.split(separator: "?", maxSplits: 1)
    let call = MailCall(
      method: method, path: parts[0], query: parts.count > 1 ? parts[1] : "", headers: headers,
      body: Array(body.utf8))
    let context = MailAPIContext(
      state: state,
      newId: { [self] in
        ids.withLock { id in
          id += 1
          return "id-\(id)"
        }
      }, time: { "2026-11-22T18:00:00Z" }, seconds: { [self] in seconds.withLock { $0 } },
      admit: { provider in
        if let failing { throw MailRefusal(provider, status: failing, message: "on purpose") }
      },
      deliver: { [self] mail, _ in kept.withLock { $0.append(mail) } })
    return Reply(await MailAPIRoutes.answer(call, context: context))
  }

  struct Reply {
    let status: Int
    let text: String
    let headers: [String: String]

    init(_ reply: MailReply) {
      status = reply.status
      text = String(decoding: reply.body, as: UTF8.self)
      headers = Dictionary(
        reply.headers.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { $1 })
    }

    subscript(key: String) -> JSON? { (try? JSON.parse(text))?[key] }
  }
}
