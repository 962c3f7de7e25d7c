import HearthFirestoreProtos
import SwiftProtobuf

/// A document as it is in the store.
package struct StoredDocument: Sendable, Equatable {
  let path: ResourcePath
  var fields: Fields
  /// Microseconds since the Unix epoch.
  let createTime: Int64
  let updateTime: Int64

  package var message: Document { message(mask: nil) }

  /// The document on the wire, with the fields of the mask; nil for all.
  func message(mask: FieldTree?) -> Document {
    var document = Document()
    document.name = path.text
    document.fields = mask.map(fields.masked) ?? fields
    document.createTime = ProtoTimestamp(microseconds: createTime)
    document.updateTime = ProtoTimestamp(microseconds: updateTime)
    return document
  }

  /// What queries compare; the name is a field too.
  func value(at field: FieldPath) -> Value? {
    field.isDocumentName ? .reference(path.text) : fields.value(at: field)
  }

  /// Fields travel to the table as a serialized map.
  static func fields(of data: [UInt8]) throws -> Fields {
    try MapValue(serializedBytes: data).fields
  }

  static func data(of fields: Fields) throws -> [UInt8] {
    try MapValue.with { $0.fields = fields }.serializedBytes()
  }
}
