package import HearthErrors
import HearthFirestore
package import HearthWire

/// A function that runs when documents change, as it was registered or as a functions emulator
/// lists it.
package struct DocumentTrigger: Sendable {
  /// Bytes of the name of an event, and of a database.
  private static let longestName = 256

  package enum Generation: Int, Sendable {
    case first = 1
    case second
  }

  /// What has to happen to a document; nil for anything.
  private let kind: DocumentEvent.Kind?
  package let generation: Generation
  /// The name under which the functions emulator runs it.
  ///
  /// It changes when the functions emulator loads the function again.
  package private(set) var key: String
  /// As it was registered: it is sent back with each event.
  package let eventType: String
  /// Nil for every database.
  package let database: String?
  package let pattern: PathPattern

  /// Whether the function wants to know who wrote.
  package var wantsCaller: Bool { eventType.hasSuffix(Self.callerSuffix) }

  /// Whether the function wants the event. It is asked for each trigger with each change.
  package func fires(on event: DocumentEvent) -> Bool {
    (kind == nil || kind == event.kind) && (database == nil || database == event.database.database)
      && pattern.matches(event.segments)
  }

  /// The same trigger under another key.
  package func with(key: String) -> DocumentTrigger {
    var trigger = self
    trigger.key = key
    return trigger
  }

  /// For the control endpoint that lists triggers.
  package var json: JSON {
    .members([
      "key": .string(key), "generation": .int(Int64(generation.rawValue)),
      "eventType": .string(eventType), "database": .string(database ?? "{database}"),
      "document": .string(pattern.text),
    ])
  }
}

// MARK: The first generation

extension DocumentTrigger {
  /// What is registered is kept, so that nothing of it may be long.
  private static func checkLength(_ name: String, member: String) throws(APIError) {
    guard name.utf8.count <= longestName else {
      throw APIError(.invalidArgument, detail: "\(member) is longer than \(longestName) bytes")
    }
  }

  /// A database that Google would not make has no documents.
  private static func checkDatabase(_ id: String) throws(APIError) {
    guard DatabaseName.isValid(id) else {
      let shown = id.utf8.count <= longestName ? " '\(id)'" : ""
      throw APIError(
        .invalidArgument,
        detail: "the database\(shown) cannot exist: an id has 1 to 63 of a-z, 0-9 and -")
    }
  }

  private static let kinds: [String: DocumentEvent.Kind?] = [
    "document.write": nil, "document.create": .created, "document.update": .updated,
    "document.delete": .deleted,
  ]

  /// Reads `{"eventType", "resource", "service"}`, as the functions emulator registers functions of
  /// the first generation.
  ///
  /// - Throws: INVALID_ARGUMENT for what is not a trigger of documents of this project.
  package init(
    firstGeneration body: JSON, key: String, project: String
  ) throws(APIError) {
    let type = body["eventType"]?.string ?? ""
    try Self.checkLength(type, member: "eventType")
    guard let kind = Self.kinds.first(where: { type.hasSuffix($0.key) }) else {
      throw APIError(
        .invalidArgument, detail: "eventType '\(type)' is not one of Cloud Firestore's")
    }
    guard body["service"].map({ $0.string == "firestore.googleapis.com" }) ?? true else {
      throw APIError(.invalidArgument, detail: "the service must be firestore.googleapis.com")
    }
    let resource = body["resource"]?.string ?? ""
    let parts = resource.split(separator: "/", maxSplits: 5, omittingEmptySubsequences: false)
    guard parts.count == 6, parts[0] == "projects", parts[2] == "databases",
      parts[4] == "documents", !parts[3].isEmpty
    else {
      throw APIError(
        .invalidArgument,
        detail:
          "the resource '\(resource)' is not projects/PROJECT/databases/DATABASE/documents/PATH")
    }
    guard parts[1] == project else {
      throw APIError(
        .invalidArgument, detail: "the resource '\(resource)' is not one of the project \(project)")
    }
    let isAnyDatabase = parts[3].hasPrefix("{") && parts[3].hasSuffix("}")
    if !isAnyDatabase { try Self.checkDatabase(String(parts[3])) }
    self.init(
      kind: kind.value, generation: .first, key: key, eventType: type,
      database: isAnyDatabase ? nil : String(parts[3]),
      pattern: try PathPattern(String(parts[5]), syntax: .variables))
  }
}

// MARK: The second generation

extension DocumentTrigger {
  private static let prefix = "google.cloud.firestore.document.v1."
  private static let callerSuffix = ".withAuthContext"

  /// Whether it is a type of events that documents have.
  package static func isDocumentEvent(_ type: String) -> Bool {
    type.hasPrefix(prefix) || type.hasPrefix("providers/cloud.firestore/eventTypes/")
  }

  /// Reads `{"eventType", "database", "document": {"value", "matchType"}}`, as the functions
  /// emulator registers functions of the second generation.
  ///
  /// - Throws: INVALID_ARGUMENT for what is not a trigger of documents.
  package init(secondGeneration body: JSON, key: String) throws(APIError) {
    let document = body["document"]
    let syntax: PathPattern.Syntax
    switch (document, document?["matchType"]?.string) {
    case (_, "EXACT"?): syntax = .exact
    case (_, "PATH_PATTERN"?), (nil, _): syntax = .wildcards
    default:
      throw APIError(.invalidArgument, detail: "document.matchType must be EXACT or PATH_PATTERN")
    }
    let database: String
    switch body["database"] {
    case nil: database = "(default)"
    case .string(let name): database = name
    default: throw APIError(.invalidArgument, detail: "database must be a string")
    }
    switch document?["value"] {
    case nil, .string: break
    default: throw APIError(.invalidArgument, detail: "document.value must be a string")
    }
    try self.init(
      secondGeneration: body["eventType"]?.string ?? "", key: key, database: database,
      path: document?["value"]?.string ?? "", syntax: syntax)
  }

  package init(
    secondGeneration type: String, key: String, database: String, path: String,
    syntax: PathPattern.Syntax
  ) throws(APIError) {
    try Self.checkDatabase(database)
    self.init(
      kind: try Self.kind(ofSecondGeneration: type), generation: .second, key: key,
      eventType: type, database: database, pattern: try PathPattern(path, syntax: syntax))
  }

  /// Nil for `written`, which is any change.
  private static func kind(
    ofSecondGeneration type: String
  ) throws(APIError) -> DocumentEvent.Kind? {
    var word = type[...]
    if word.hasSuffix(callerSuffix) { word = word.dropLast(callerSuffix.count) }
    if word.hasPrefix(prefix) {
      word = word.dropFirst(prefix.count)
      if word == "written" { return nil }
      if let kind = DocumentEvent.Kind(rawValue: String(word)) { return kind }
    }
    throw APIError(.invalidArgument, detail: "eventType '\(type)' is not one of Cloud Firestore's")
  }
}
