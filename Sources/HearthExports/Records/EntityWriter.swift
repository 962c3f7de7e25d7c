import HearthFirestoreProtos
import SwiftProtobuf

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Makes records of documents, as the official emulator writes them: empty arrays first, everything
/// else without an index. The numbers are those of the fields in `entity.proto`.
package enum EntityWriter {
  package static func record(of document: ExportedDocument) throws -> [UInt8] {
    var entity = EntityBytes()
    entity.message(13) { key in
      key.text(13, text: document.app)
      key.message(14) { path in
        for index in stride(from: 0, to: document.segments.count, by: 2) {
          write(document.segments[index], id: document.segments[index + 1], to: &path)
        }
      }
      if document.database != ExportedDocument.defaultDatabase {
        key.text(23, text: document.database)
      }
    }
    try write(document.fields, to: &entity)
    entity.message(16) { group in write(document.segments[0], id: document.segments[1], to: &group)
    }
    return entity.bytes
  }

  private static func write(_ collection: String, id: String, to path: inout EntityBytes) {
    path.group(1) { element in
      element.text(2, text: collection)
      if let number = NumericId.number(of: id) {
        element.integer(3, value: number)
      } else {
        element.text(4, text: id)
      }
    }
  }

  private static func write(_ fields: Fields, to entity: inout EntityBytes) throws {
    for (name, value) in fields where value.isEmptyArray {
      write(name, meaning: Meaning.emptyList, to: &entity, field: 14) { _ in }
    }
    for (name, value) in fields where !value.isEmptyArray {
      switch value.valueType {
      case .arrayValue(let array)?:
        for element in array.values {
          try write(name, value: element, to: &entity, isElement: true)
        }
      case .mapValue(let map)?:
        guard let vector = vector(map.fields) else {
          try write(name, value: value, to: &entity)
          continue
        }
        for number in vector {
          write(name, meaning: Meaning.vector, to: &entity, isElement: true) {
            $0.double(4, value: canonical(number))
          }
        }
      default: try write(name, value: value, to: &entity)
      }
    }
  }

  private static func write(
    _ name: String, value: Google_Firestore_V1_Value, to entity: inout EntityBytes,
    isElement: Bool = false
  ) throws {
    try write(name, meaning: meaning(of: value), to: &entity, isElement: isElement) {
      try write(value, to: &$0)
    }
  }

  private static func write(
    _ name: String, meaning: Int32, to entity: inout EntityBytes, isElement: Bool = false,
    field: UInt8 = 15, value: (inout EntityBytes) throws -> Void
  ) rethrows {
    try entity.message(field) { property in
      if meaning != 0 { property.integer(1, value: Int64(meaning)) }
      property.text(3, text: name)
      property.flag(4, value: isElement)
      try property.message(5, body: value)
    }
  }

  /// The numbers of a vector, which Firestore shows as a map with a mark.
  private static func vector(_ fields: Fields) -> [Double]? {
    guard fields.count == 2, fields["__type__"]?.stringValue == "__vector__",
      case .arrayValue(let array)? = fields["value"]?.valueType
    else { return nil }
    return array.values.map(\.doubleValue)
  }

  private static func canonical(_ number: Double) -> Double { number.isNaN ? .nan : number }

  private static func meaning(of value: Google_Firestore_V1_Value) -> Int32 {
    switch value.valueType {
    case .timestampValue?: Meaning.timestamp
    case .bytesValue?: Meaning.blob
    case .geoPointValue?: Meaning.geoPoint
    case .mapValue?: Meaning.map
    default: 0
    }
  }

  private static func write(
    _ value: Google_Firestore_V1_Value, to wire: inout EntityBytes
  ) throws {
    switch value.valueType {
    case nil, .nullValue?: break
    case .booleanValue(let flag)?: wire.flag(2, value: flag)
    case .integerValue(let number)?: wire.integer(1, value: number)
    case .doubleValue(let number)?: wire.double(4, value: canonical(number))
    case .timestampValue(let time)?:
      wire.integer(1, value: time.seconds &* 1_000_000 &+ Int64(time.nanos / 1000))
    case .stringValue(let text)?: wire.text(3, text: text)
    case .bytesValue(let bytes)?: wire.data(3, data: bytes)
    case .referenceValue(let name)?: try write(reference: name, to: &wire)
    case .geoPointValue(let point)?:
      wire.group(5) { group in
        group.double(6, value: point.latitude)
        group.double(7, value: point.longitude)
      }
    case .mapValue(let map)?:
      try wire.message(3) { entity in
        entity.message(13) { key in
          key.text(13, text: "")
          key.message(14) { _ in }
        }
        try write(map.fields, to: &entity)
        entity.message(16) { _ in }
      }
    case .arrayValue?, .fieldReferenceValue?, .variableReferenceValue?, .functionValue?,
      .pipelineValue?:
      throw ExportError("an array contains an array, which an export cannot represent")
    }
  }

  /// `projects/p/databases/d/documents/…` as a key.
  private static func write(reference name: String, to wire: inout EntityBytes) throws {
    let segments = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    guard segments.count > 5, segments.count % 2 == 1 else {
      throw ExportError("'\(name)' is not the name of a document")
    }
    wire.group(12) { reference in
      reference.text(13, text: ExportedDocument.app(of: segments[1]))
      for index in stride(from: 5, to: segments.count, by: 2) {
        reference.group(14) { element in
          element.text(15, text: segments[index])
          if let number = NumericId.number(of: segments[index + 1]) {
            element.integer(16, value: number)
          } else {
            element.text(17, text: segments[index + 1])
          }
        }
      }
      if segments[3] != ExportedDocument.defaultDatabase { reference.text(23, text: segments[3]) }
    }
  }
}

extension Google_Firestore_V1_Value {
  fileprivate var isEmptyArray: Bool {
    if case .arrayValue(let array)? = valueType { array.values.isEmpty } else { false }
  }
}
