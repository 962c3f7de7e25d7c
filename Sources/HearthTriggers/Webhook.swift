package import HearthCrypto
package import HearthErrors
package import HearthOperations
package import HearthTime
package import HearthWire

/// An address that events of a project are sent to.
///
/// Its URL has passed ``OutgoingHosts`` when it is made, so that a mistake is reported at once.
package struct Webhook: Sendable {
  package let url: String
  private let secret: WebhookSecret
  /// Types of events; one that ends in `*` stands for all that begin so. Empty for all.
  private let events: [String]
  /// Which documents; nil for all.
  private let path: PathPattern?

  /// As the endpoint takes it, with the secret.
  package var json: JSON {
    .members([
      "url": .string(url), "secret": .string(secret.text),
      "events": events.isEmpty ? nil : .strings(events), "path": (path?.text).json,
    ])
  }

  /// The type under which an event is sent: its own, or another one of its types that is asked for.
  /// Nil where it is not wanted.
  ///
  /// A webhook gets one event for each change, whatever the number of its types that fit.
  package func type(of event: DocumentEvent) -> String? {
    guard path?.matches(event.segments) ?? true else { return nil }
    let own = WebhookEvents.documents + event.kind.rawValue
    let written = WebhookEvents.documents + "written"
    if wants(own) { return own }
    return [
      written, own + WebhookEvents.writer, written + WebhookEvents.writer,
    ].first(where: events.contains)
  }

  /// Whether events of that type name the writer.
  package static func tellsWriter(_ type: String) -> Bool { type.hasSuffix(WebhookEvents.writer) }

  /// Whether events of that type are sent to it, whatever document they are about.
  ///
  /// Those of users of the second generation are the same news as those of the first: they are sent
  /// only where they are named as such.
  package func wants(_ type: String) -> Bool {
    let isSecond = type.hasPrefix(WebhookEvents.secondUsers)
    return events.isEmpty && !isSecond
      || events.contains { name in
        guard name.hasSuffix("*") else { return name == type }
        return type.hasPrefix(name.dropLast())
          && (!isSecond || name.hasPrefix(WebhookEvents.secondUsers))
      }
  }

  /// The signed request. It has the same id in every try, but the time and the signature of this
  /// one.
  package func request(_ event: CloudEvent, at now: Timestamp) -> FunctionRequest {
    request(id: event.id, body: event.body, at: now)
  }

  /// The same of an event that was sent before.
  package func request(id: String, body: [UInt8], at now: Timestamp) -> FunctionRequest {
    FunctionRequest(
      url: url,
      headers: [
        ("Content-Type", CloudEvent.contentType), ("webhook-id", id),
        ("webhook-timestamp", String(now.seconds)),
        ("webhook-signature", secret.signature(id: id, seconds: now.seconds, body: body)),
      ],
      body: body)
  }
}

/// The names of events that webhooks ask for.
enum WebhookEvents {
  /// The prefix of the types of documents, as production has them.
  static let documents = "google.cloud.firestore.document.v1."
  /// The prefix of the types of users of the second generation.
  static let secondUsers = "google.firebase.auth.user.v2."
  /// The suffix of the types that tell the writer.
  static let writer = ".withAuthContext"

  private static let all: [String] =
    DocumentEvent.Kind.allCases.map(\.rawValue).map { documents + $0 } + [documents + "written"]
    + [
      CloudEvent.Name.userCreated, CloudEvent.Name.userDeleted, CloudEvent.Name.userCreatedV2,
      CloudEvent.Name.userDeletedV2, CloudEvent.Name.messageCaptured,
    ]

  /// Whether there are events of that name. A wildcard must fit one at least, so that a mistake in
  /// it is noticed.
  static func isKnown(_ name: String) -> Bool {
    if name.hasSuffix("*") { return all.contains { $0.hasPrefix(name.dropLast()) } }
    let plain = name.hasSuffix(writer) ? String(name.dropLast(writer.count)) : name
    return all.contains(plain) && (plain == name || plain.hasPrefix(documents))
  }

  static func advice(on name: String) -> String {
    let near = all.advice(on: name)
    return near.isEmpty ? "; known are \(all.joined(separator: ", "))" : near
  }
}

// MARK: Reading

extension Webhook {
  /// How many a project may have.
  private static let most = 32

  /// Reads `{"webhooks": [{"url", "secret", "events", "path"}]}`. A secret that is not given is made.
  package static func list(
    _ body: JSONObject, allowing hosts: OutgoingHosts, random: Randomness
  ) throws(APIError) -> [Webhook] {
    for name in body.keys where name != "webhooks" {
      throw fault("", problem: "unknown member '\(name)'")
    }
    guard let entries = body["webhooks"]?.array else {
      throw fault("/webhooks", problem: "must be an array")
    }
    guard entries.count <= most else {
      throw fault("/webhooks", problem: "holds more than \(most)")
    }
    return try each(of: entries, allowing: hosts, random).map { (webhook) throws(APIError) in
      try webhook.get()
    }
  }

  /// Reads the entries of such a list, each by itself.
  package static func each(
    of entries: [JSON], allowing hosts: OutgoingHosts, _ random: Randomness
  ) -> [Result<Webhook, APIError>] {
    entries.enumerated().map { index, entry in
      Result { () throws(APIError) in
        try Webhook(entry, at: "/webhooks/\(index)", hosts: hosts, random: random)
      }
    }
  }

  private init(
    _ json: JSON, at place: String, hosts: OutgoingHosts, random: Randomness
  ) throws(APIError) {
    for name in json.object?.keys ?? []
    where !["url", "secret", "events", "path"].contains(name) {
      throw Self.fault(place, problem: "unknown member '\(name)'")
    }
    guard let url = json["url"]?.string, url.utf8.count <= 2048 else {
      throw Self.fault(place + "/url", problem: "must be an address")
    }
    do throws(OutgoingHosts.Refusal) {
      try hosts.check(url)
    } catch {
      throw Self.fault(place + "/url", problem: error.description)
    }
    self.url = url
    switch json["secret"] {
    case nil: secret = WebhookSecret(random)
    case .string(let text):
      guard let secret = WebhookSecret(text) else {
        throw Self.fault(place + "/secret", problem: "must be whsec_ and 24 to 64 bytes in Base64")
      }
      self.secret = secret
    default: throw Self.fault(place + "/secret", problem: "must be a string")
    }
    events = try Self.events(json["events"], at: place + "/events")
    switch json["path"] {
    case nil: path = nil
    case .string(let text): path = try PathPattern(text, syntax: .wildcards)
    default: throw Self.fault(place + "/path", problem: "must be a string")
    }
  }

  /// - Returns: names that are known; none for all events.
  private static func events(_ json: JSON?, at place: String) throws(APIError) -> [String] {
    guard let json else { return [] }
    guard let names = json.array?.compactMap(\.string), names.count == json.array?.count,
      names.count <= most
    else { throw fault(place, problem: "must be an array of names") }
    // Neither no event nor all events can be meant.
    guard !names.isEmpty else {
      throw fault(place, problem: "names no event; leave it out for all events")
    }
    for name in names where !WebhookEvents.isKnown(name) {
      throw fault(place, problem: "unknown event '\(name)'" + WebhookEvents.advice(on: name))
    }
    return names
  }

  static func fault(_ place: String, problem: String) -> APIError {
    APIError(.invalidArgument, detail: "\(place.isEmpty ? "" : place + " ")\(problem)")
  }
}
