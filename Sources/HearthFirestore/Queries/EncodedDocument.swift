import HearthErrors
import HearthFirestoreJSON
import HearthFirestoreProtos
import HearthOperations
import SwiftProtobuf

/// What a query compares: a document, whether its fields are decoded or not.
protocol ComparableDocument {
  var path: ResourcePath { get }
  /// The value of a field; the document's name is a field too.
  func value(at field: FieldPath) -> Value?
}

extension StoredDocument: ComparableDocument {}

/// A document as a scan of the store reads it, with its fields still encoded.
///
/// Most queries compare a few fields at most. The others are decoded after the transaction, which
/// keeps all other requests waiting, and for large results off the event loop.
struct EncodedDocument: ComparableDocument, Sendable {
  let path: ResourcePath
  /// The fields as a serialized `MapValue`.
  let data: [UInt8]
  /// Microseconds since the Unix epoch.
  let createTime: Int64
  let updateTime: Int64

  /// - Throws: `INTERNAL` for bytes that are not a `MapValue`.
  func decoded() throws(APIError) -> StoredDocument {
    do {
      return StoredDocument(
        path: path, fields: try StoredDocument.fields(of: data), createTime: createTime,
        updateTime: updateTime)
    } catch {
      throw APIError(.internalError, message: "The document \(path.text) cannot be decoded.")
    }
  }

  /// The bytes of the document's message, with the fields of the mask; nil for all.
  ///
  /// - Throws: `INTERNAL` for bytes that are not a `MapValue`.
  func wire(mask: FieldTree?) throws(APIError) -> [UInt8] {
    guard mask == nil, let fields = encodedFields else {
      return try decoded().wire(mask: mask)
    }
    let others = try Document.with {
      $0.name = path.text
      $0.createTime = ProtoTimestamp(microseconds: createTime)
      $0.updateTime = ProtoTimestamp(microseconds: updateTime)
    }.wire()
    // In the order of their numbers, the name before them.
    let end = others.withUnsafeBufferPointer { bytes in
      var reader = WireReader(bytes)
      return reader.nextField()?.range.upperBound ?? 0
    }
    return Array(others[..<end]) + fields + others[end...]
  }

  /// The tag of `fields` in a `Document`, which has a length.
  private static let fieldsTag = UInt8(2 << 3 | 2)

  /// The entries of the map as the fields of a document, which differ from them in their number
  /// alone; nil for other bytes.
  private var encodedFields: [UInt8]? {
    data.withUnsafeBufferPointer { bytes in
      var fields: [UInt8] = []
      fields.reserveCapacity(bytes.count)
      var reader = WireReader(bytes)
      while !reader.isAtEnd {
        let start = reader.position
        guard let tag = reader.tag(), tag == (EncodedMap.entries, 2),
          reader.position == start + 1, let entry = reader.range()
        else { return nil }
        fields.append(Self.fieldsTag)
        fields.append(contentsOf: bytes[start + 1..<entry.upperBound])
      }
      return fields
    }
  }

  func value(at field: FieldPath) -> Value? {
    guard !field.isDocumentName else { return .reference(path.text) }
    let range = data.withUnsafeBufferPointer { EncodedMap($0).value(at: field.segments[...]) }
    guard let range else { return nil }
    return try? Value(serializedBytes: Array(data[range]))
  }
}

extension EncodedDocument {
  init(_ document: StoredDocument) throws(APIError) {
    path = document.path
    createTime = document.createTime
    updateTime = document.updateTime
    do { data = try StoredDocument.data(of: document.fields) } catch {
      throw APIError(.internalError, message: "The document \(path.text) cannot be encoded.")
    }
  }
}

extension QueryResult {
  /// Results with more bytes than this are decoded off the event loop.
  private static let small = 128 << 10

  /// Decodes the documents, and makes of each what the closure says.
  func decode<Output: Sendable>(
    _ make: @Sendable (StoredDocument) -> Output
  ) async throws(APIError) -> [Output] {
    func all() throws(APIError) -> [Output] {
      try documents.map { document throws(APIError) in make(try document.decoded()) }
    }
    var size = 0
    for document in documents {
      size += document.data.count
      guard size <= Self.small else {
        return try await WorkPool.shared.finish { () async throws(APIError) in try all() }
      }
    }
    return try all()
  }
}

/// A serialized `MapValue` in which single values are looked up.
private struct EncodedMap {
  static let entries = 1
  private static let key = 1
  private static let value = 2
  private static let mapValue = 6

  private let bytes: UnsafeBufferPointer<UInt8>
  private let range: Range<Int>

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.init(bytes, range: 0..<bytes.count) }

  private init(_ bytes: UnsafeBufferPointer<UInt8>, range: Range<Int>) {
    self.bytes = bytes
    self.range = range
  }

  /// Where the bytes of the value are; nil if there is none.
  func value(at segments: ArraySlice<String>) -> Range<Int>? {
    guard var first = segments.first else { return nil }
    let found = first.withUTF8 { value(of: $0) }
    guard let found, segments.count > 1 else { return found }
    return member(Self.mapValue, in: found).flatMap {
      EncodedMap(bytes, range: $0).value(at: segments.dropFirst())
    }
  }

  /// Of several entries with the name, the last counts.
  private func value(of name: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
    var found: Range<Int>?
    forEachMember(of: range) { number, entry in
      guard number == Self.entries else { return }
      // An empty name is left out.
      let key = member(Self.key, in: entry) ?? 0..<0
      guard bytes[key].elementsEqual(name) else { return }
      found = member(Self.value, in: entry) ?? entry.upperBound..<entry.upperBound
    }
    return found
  }

  private func member(_ wanted: Int, in range: Range<Int>) -> Range<Int>? {
    var found: Range<Int>?
    forEachMember(of: range) { number, member in if number == wanted { found = member } }
    return found
  }

  /// Members with a length, which all of these are.
  private func forEachMember(of range: Range<Int>, _ visit: (Int, Range<Int>) -> Void) {
    var reader = WireReader(bytes, range: range)
    while !reader.isAtEnd, let (number, wireType) = reader.tag() {
      if wireType == 2 {
        guard let member = reader.range() else { return }
        visit(number, member)
      } else if !reader.skip(wireType) {
        return
      }
    }
  }
}
