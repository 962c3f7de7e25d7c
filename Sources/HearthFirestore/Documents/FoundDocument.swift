import HearthErrors
import HearthFirestoreProtos
import SwiftProtobuf

/// A document that was read, with its fields decoded where rules have looked at them.
enum FoundDocument: Sendable {
  case encoded(EncodedDocument)
  case decoded(StoredDocument)

  var updateTime: Int64 {
    switch self {
    case .encoded(let document): document.updateTime
    case .decoded(let document): document.updateTime
    }
  }

  /// - Throws: `INTERNAL` for bytes that are not a `MapValue`.
  func stored() throws(APIError) -> StoredDocument {
    switch self {
    case .encoded(let document): try document.decoded()
    case .decoded(let document): document
    }
  }

  /// The bytes of the document's message, with the fields of the mask; nil for all.
  func wire(mask: FieldTree?) throws(APIError) -> [UInt8] {
    switch self {
    case .encoded(let document): try document.wire(mask: mask)
    case .decoded(let document): try document.wire(mask: mask)
    }
  }
}

extension StoredDocument {
  func wire(mask: FieldTree?) throws(APIError) -> [UInt8] { try message(mask: mask).wire() }
}

extension Document {
  func wire() throws(APIError) -> [UInt8] {
    do { return try serializedBytes() } catch {
      throw APIError(.internalError, message: "The document \(name) cannot be encoded.")
    }
  }
}
