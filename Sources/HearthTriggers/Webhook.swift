package import HearthCrypto
package import HearthErrors
package import HearthOperations
package import HearthTime
package import HearthWire

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An address that events of a project are sent to.
///
/// Its URL has passed `WebhookHosts` when it is made, and is not checked again when something is
/// sent.
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
  package func wants(_ type: String) -> Bool {
    events.isEmpty
      || events.contains { $0.hasSuffix("*") ? type.hasPrefix($0.dropLast()) : $0 == type }
  }

  /// The signed request. It has the same id in every try, but the time and the signature of this
  /// one.
  package func request(_ event: CloudEvent, at now: Timestamp) -> FunctionRequest {
    FunctionRequest(
      url: url,
      headers: [
        ("Content-Type", CloudEvent.contentType), ("webhook-id", event.id),
        ("webhook-timestamp", String(now.seconds)),
        (
          "webhook-signature",
          secret.signature(id: event.id, seconds: now.seconds, body: event.body)
        ),
      ],
      body: event.body)
  }
}

/// The names of events that webhooks ask for.
enum WebhookEvents {
  /// The prefix of the types of documents, as production has them.
  static let documents = "google.cloud.firestore.document.v1."
  /// The suffix of the types that tell the writer.
  static let writer = ".withAuthContext"

  private static let all: [String] =
    DocumentEvent.Kind.allCases.map(\.rawValue).map { documents + $0 } + [documents + "written"]
    + [CloudEvent.Name.userCreated, CloudEvent.Name.userDeleted, CloudEvent.Name.messageCaptured]

  /// Whether there are events of that name. A wildcard must fit one at least, so that a mistake in
  /// it is noticed.
  static func isKnown(_ name: String) -> Bool {
    if name.hasSuffix("*") { return all.contains { $0.hasPrefix(name.dropLast()) } }
    let plain = name.hasSuffix(writer) ? String(name.dropLast(writer.count)) : name
    return all.contains(plain) && (plain == name || plain.hasPrefix(documents))
  }
}

// MARK: Reading

extension Webhook {
  /// How many a project may have.
  private static let most = 32

  /// Reads `{"webhooks": [{"url", "secret", "events", "path"}]}`. A secret that is not given is made.
  package static func list(
    _ body: JSONObject, allowing hosts: WebhookHosts, _ random: Randomness
  ) throws(APIError) -> [Webhook] {
    for name in body.keys where name != "webhooks" { throw fault("", "unknown member '\(name)'") }
    guard let entries = body["webhooks"]?.array else {
      throw fault("/webhooks", "must be an array")
    }
    guard entries.count <= most else { throw fault("/webhooks", "holds more than \(most)") }
    return try each(of: entries, allowing: hosts, random).map { (webhook) throws(APIError) in
      try webhook.get()
    }
  }

  /// Reads the entries of such a list, each by itself.
  package static func each(
    of entries: [JSON], allowing hosts: WebhookHosts, _ random: Randomness
  ) -> [Result<Webhook, APIError>] {
    entries.enumerated().map { index, entry in
      Result { () throws(APIError) in
        try Webhook(entry, at: "/webhooks/\(index)", hosts, random)
      }
    }
  }

  private init(
    _ json: JSON, at place: String, _ hosts: WebhookHosts, _ random: Randomness
  ) throws(APIError) {
    for name in json.object?.keys ?? []
    where !["url", "secret", "events", "path"].contains(name) {
      throw Self.fault(place, "unknown member '\(name)'")
    }
    guard let url = json["url"]?.string, url.utf8.count <= 2048 else {
      throw Self.fault(place + "/url", "must be an address")
    }
    try hosts.check(url, at: place + "/url")
    self.url = url
    switch json["secret"] {
    case nil: secret = WebhookSecret(random)
    case .string(let text):
      guard let secret = WebhookSecret(text) else {
        throw Self.fault(place + "/secret", "must be whsec_ and 24 to 64 bytes in Base64")
      }
      self.secret = secret
    default: throw Self.fault(place + "/secret", "must be a string")
    }
    events = try Self.events(json["events"], at: place + "/events")
    switch json["path"] {
    case nil: path = nil
    case .string(let text): path = try PathPattern(text, .wildcards)
    default: throw Self.fault(place + "/path", "must be a string")
    }
  }

  /// - Returns: names that are known; none for all events.
  private static func events(_ json: JSON?, at place: String) throws(APIError) -> [String] {
    guard let json else { return [] }
    guard let names = json.array?.compactMap(\.string), names.count == json.array?.count,
      names.count <= most
    else { throw fault(place, "must be an array of names") }
    // Neither no event nor all events can be meant.
    guard !names.isEmpty else {
      throw fault(place, "names no event; leave it out for all events")
    }
    for name in names where !WebhookEvents.isKnown(name) {
      throw fault(place, "unknown event '\(name)'")
    }
    return names
  }

  static func fault(_ place: String, _ problem: String) -> APIError {
    APIError(.invalidArgument, "\(place.isEmpty ? "" : place + " ")\(problem)")
  }
}

/// Where webhooks may be: on this machine, and on hosts that its user has named.
///
/// Events hold documents and accounts. Without this, any client of the control endpoints could have
/// them sent to any host.
package struct WebhookHosts: Sendable {
  private let allowed: [String]

  package init(allowed: [String]) { self.allowed = allowed.map { $0.lowercased() } }

  /// - Throws: INVALID_ARGUMENT where nothing may be sent there. The address is read as the HTTP
  ///   client reads it.
  func check(_ address: String, at place: String) throws(APIError) {
    guard let url = URL(string: address), let scheme = url.scheme?.lowercased(),
      ["http", "https"].contains(scheme), let host = url.host?.lowercased(), !host.isEmpty,
      url.user == nil, url.password == nil, (1...65535).contains(url.port ?? 80),
      address.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { throw Webhook.fault(place, "must be an address that begins with http:// or https://") }
    guard Self.isThisMachine(host) || allowed.contains(host) else {
      throw Webhook.fault(
        place,
        "is on the host \(host), which is not this machine; --allow-webhooks-to \(host) allows it")
    }
  }

  /// Names that only resolve to this machine do not count: they may resolve otherwise when
  /// something is sent.
  private static func isThisMachine(_ host: String) -> Bool {
    let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    if bare == "localhost" || bare == "::1" { return true }
    let parts = bare.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}
