import HearthFirestoreProtos
import SwiftProtobuf

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Makes records of documents, as the official emulator writes them: empty arrays first, everything
/// else without an index.
package enum EntityWriter {
  package static func record(of document: ExportedDocument) throws -> [UInt8] {
    var entity = WireEntityProto()
    entity.key.app = document.app
    entity.key.path.element = stride(from: 0, to: document.segments.count, by: 2).map { index in
      element(document.segments[index], document.segments[index + 1])
    }
    if document.database != ExportedDocument.defaultDatabase {
      entity.key.databaseID = document.database
    }
    entity.entityGroup.element = Array(entity.key.path.element.prefix(1))
    try add(document.fields, to: &entity)
    // All that is required has just been set: to look for it again takes as long as to write it.
    return try entity.serializedBytes(partial: true)
  }

  private static func element(_ collection: String, _ id: String) -> WirePath.Element {
    var element = WirePath.Element()
    element.type = collection
    if let number = NumericId.number(of: id) { element.id = number } else { element.name = id }
    return element
  }

  private static func add(_ fields: Fields, to entity: inout WireEntityProto) throws {
    entity.rawProperty.reserveCapacity(fields.count)
    for (name, value) in fields {
      switch value.valueType {
      case .arrayValue(let array)? where array.values.isEmpty:
        entity.property.append(property(name, (Meaning.emptyList, WirePropertyValue())))
      case .arrayValue(let array)?:
        for element in array.values {
          entity.rawProperty.append(property(name, try wire(element), multiple: true))
        }
      case .mapValue(let map)?:
        if let vector = vector(map.fields) {
          for element in vector {
            var value = WirePropertyValue()
            value.doubleValue = canonical(element)
            entity.rawProperty.append(property(name, (Meaning.vector, value), multiple: true))
          }
        } else {
          entity.rawProperty.append(property(name, try wire(value)))
        }
      default: entity.rawProperty.append(property(name, try wire(value)))
      }
    }
  }

  private static func property(
    _ name: String, _ content: (meaning: Int32, value: WirePropertyValue), multiple: Bool = false
  ) -> WireProperty {
    var property = WireProperty()
    if content.meaning != 0 { property.meaning = content.meaning }
    property.name = name
    property.multiple = multiple
    property.value = content.value
    return property
  }

  /// The numbers of a vector, which Firestore shows as a map with a mark.
  private static func vector(_ fields: Fields) -> [Double]? {
    guard fields.count == 2, fields["__type__"]?.stringValue == "__vector__",
      case .arrayValue(let array)? = fields["value"]?.valueType
    else { return nil }
    return array.values.map(\.doubleValue)
  }

  private static func canonical(_ number: Double) -> Double { number.isNaN ? .nan : number }

  private static func wire(
    _ value: Google_Firestore_V1_Value
  ) throws -> (meaning: Int32, value: WirePropertyValue) {
    var wire = WirePropertyValue()
    var meaning: Int32 = 0
    switch value.valueType {
    case nil, .nullValue?: break
    case .booleanValue(let flag)?: wire.booleanValue = flag
    case .integerValue(let number)?: wire.int64Value = number
    case .doubleValue(let number)?: wire.doubleValue = canonical(number)
    case .timestampValue(let time)?:
      meaning = Meaning.timestamp
      wire.int64Value = time.seconds &* 1_000_000 &+ Int64(time.nanos / 1000)
    case .stringValue(let text)?: wire.stringValue = Data(text.utf8)
    case .bytesValue(let bytes)?:
      meaning = Meaning.blob
      wire.stringValue = bytes
    case .referenceValue(let name)?: wire.referenceValue = try reference(name)
    case .geoPointValue(let point)?:
      meaning = Meaning.geoPoint
      wire.pointValue.x = point.latitude
      wire.pointValue.y = point.longitude
    case .mapValue(let map)?:
      meaning = Meaning.map
      var entity = WireEntityProto()
      entity.key.app = ""
      entity.key.path = WirePath()
      entity.entityGroup = WirePath()
      try add(map.fields, to: &entity)
      wire.stringValue = try entity.serializedData()
    case .arrayValue?, .fieldReferenceValue?, .variableReferenceValue?, .functionValue?,
      .pipelineValue?:
      throw ExportError("an array holds an array, which no export can tell")
    }
    return (meaning, wire)
  }

  /// `projects/p/databases/d/documents/…` as a key.
  private static func reference(_ name: String) throws -> WirePropertyValue.ReferenceValue {
    let segments = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    guard segments.count > 5, segments.count % 2 == 1 else {
      throw ExportError("'\(name)' is not the name of a document")
    }
    var reference = WirePropertyValue.ReferenceValue()
    reference.app = ExportedDocument.app(of: segments[1])
    for index in stride(from: 5, to: segments.count, by: 2) {
      var element = WirePropertyValue.ReferenceValue.PathElement()
      element.type = segments[index]
      let id = segments[index + 1]
      if let number = NumericId.number(of: id) { element.id = number } else { element.name = id }
      reference.pathElement.append(element)
    }
    if segments[3] != ExportedDocument.defaultDatabase { reference.databaseID = segments[3] }
    return reference
  }
}
