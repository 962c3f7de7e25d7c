import HearthWire

/// The path of a document or a collection below a database's documents.
struct DocumentPath {
  enum Kind {
    case document, collection, either
  }

  private let segments: [String]

  init(_ text: String, kind: Kind) throws(ToolFailure) {
    segments = text.split(separator: "/").map(String.init)
    let isDocument = segments.count.isMultiple(of: 2)
    let fits: Bool =
      switch kind {
      case .document: isDocument
      case .collection: !isDocument
      case .either: true
      }
    guard !segments.isEmpty, fits, !segments.contains(where: { $0 == "." || $0 == ".." }) else {
      let words = kind == .collection ? "a collection: users" : "a document: users/ann"
      throw ToolFailure(
        "\"\(text.shortened(to: 200))\" is not the path of \(kind == .collection ? "a collection" : "a document").",
        next: "Write the path of \(words)")
    }
  }

  private init(_ segments: [String]) { self.segments = segments }

  var isDocument: Bool { segments.count.isMultiple(of: 2) }
  var last: String { segments.last ?? "" }
  var parent: DocumentPath { DocumentPath(segments.dropLast()) }

  /// With `/` in front of each segment.
  var encoded: String { segments.map { "/" + PercentCoding.encodeComponent($0) }.joined() }
}
