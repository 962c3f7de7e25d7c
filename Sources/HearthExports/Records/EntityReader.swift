import HearthFirestoreProtos
import SwiftProtobuf

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reads records. What exports of Datastore have beyond Firestore's types becomes the plain value:
/// a text with a meaning is a text, a user is an address.
package enum EntityReader {
  /// A little deeper than documents may be.
  private static let deepest = 25

  package static func document(_ record: [UInt8]) throws -> ExportedDocument {
    let entity: WireEntityProto
    do {
      // What is required is looked at below: to look for it in everything takes as long as to read.
      entity = try WireEntityProto(serializedBytes: record, partial: true)
    } catch {
      throw ExportError("it is not an entity")
    }
    guard entity.hasKey, entity.key.hasPath, entity.hasEntityGroup,
      entity.property.allSatisfy(\.isWhole), entity.rawProperty.allSatisfy(\.isWhole)
    else { throw ExportError("a required part of the entity is missing") }
    guard !entity.key.app.isEmpty else { throw ExportError("its key has no application") }
    guard entity.key.nameSpace.isEmpty else {
      throw ExportError("its key has a namespace, which Firestore does not have")
    }
    var segments: [String] = []
    for element in entity.key.path.element {
      guard element.hasID || element.hasName else { throw ExportError("its key is not complete") }
      segments.append(element.type)
      segments.append(element.hasName ? element.name : NumericId.text(of: element.id))
    }
    guard !segments.isEmpty else { throw ExportError("its key is empty") }
    return ExportedDocument(
      app: entity.key.app,
      database: database(entity.key.databaseID),
      segments: segments, fields: try fields(of: entity, depth: 1))
  }

  private static func database(_ id: String) -> String {
    id.isEmpty ? ExportedDocument.defaultDatabase : id
  }

  private static func fields(of entity: WireEntityProto, depth: Int) throws -> Fields {
    guard depth <= deepest else { throw ExportError("maps are nested more than \(deepest) deep") }
    var members = Members(capacity: entity.property.count + entity.rawProperty.count)
    for property in entity.property { try add(property, to: &members, depth: depth) }
    for property in entity.rawProperty { try add(property, to: &members, depth: depth) }
    return members.fields
  }

  private static func add(
    _ property: WireProperty, to members: inout Members, depth: Int
  ) throws {
    let name = property.name
    guard !name.isEmpty else { throw ExportError("a field has no name") }
    guard name != "__type__" || depth == 1 else {
      throw ExportError("a map has the reserved field '__type__'")
    }
    if property.meaning == Meaning.emptyList {
      guard !property.multiple else {
        throw ExportError("field '\(name)': an empty list in a list")
      }
      return try members.add(name, part: .emptyArray)
    }
    let value = try value(property, depth: depth)
    if property.meaning == Meaning.vector, property.multiple {
      guard property.value.hasDoubleValue else {
        throw ExportError("field '\(name)': a vector holds something else than a double")
      }
      return try members.add(name, part: .dimension(value))
    }
    try members.add(name, part: property.multiple ? .element(value) : .single(value))
  }

  private static func value(
    _ property: WireProperty, depth: Int
  ) throws -> Google_Firestore_V1_Value {
    let wire = property.value
    var value = Google_Firestore_V1_Value()
    if wire.hasInt64Value {
      if property.meaning == Meaning.timestamp, let time = timestamp(wire.int64Value) {
        value.timestampValue = time
      } else {
        value.integerValue = wire.int64Value
      }
    } else if wire.hasBooleanValue {
      value.booleanValue = wire.booleanValue
    } else if wire.hasStringValue {
      value = try text(wire.stringValue, property: property, depth: depth)
    } else if wire.hasDoubleValue {
      value.doubleValue = wire.doubleValue
    } else if wire.hasPointValue {
      value.geoPointValue.latitude = wire.pointValue.x
      value.geoPointValue.longitude = wire.pointValue.y
    } else if wire.hasUserValue {
      value.stringValue = wire.userValue.email
    } else if wire.hasReferenceValue {
      value.referenceValue = try reference(wire.referenceValue, of: property.name)
    } else {
      value.nullValue = .nullValue
    }
    return value
  }

  /// A text, bytes or a map: all three are bytes on the wire.
  private static func text(
    _ bytes: Data, property: WireProperty, depth: Int
  ) throws -> Google_Firestore_V1_Value {
    var value = Google_Firestore_V1_Value()
    switch property.meaning {
    case Meaning.map:
      let entity: WireEntityProto
      do {
        // Without a key, and even empty: observed.
        entity = try WireEntityProto(serializedBytes: bytes, partial: true)
      } catch {
        throw ExportError("field '\(property.name)': its map is not an entity")
      }
      value.mapValue.fields = try fields(of: entity, depth: depth + 1)
    case Meaning.blob, Meaning.byteString: value.bytesValue = bytes
    default:
      if let text = String(validating: bytes, as: UTF8.self) {
        value.stringValue = text
      } else {
        value.bytesValue = bytes
      }
    }
    return value
  }

  /// Microseconds of the years 1 to 9999; nil beyond them.
  private static func timestamp(_ microseconds: Int64) -> Google_Protobuf_Timestamp? {
    let range = -62_135_596_800_000_000...253_402_300_799_999_999 as ClosedRange<Int64>
    guard range.contains(microseconds) else { return nil }
    var (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    if rest < 0 {
      seconds -= 1
      rest += 1_000_000
    }
    var time = Google_Protobuf_Timestamp()
    time.seconds = seconds
    time.nanos = Int32(rest) * 1000
    return time
  }

  private static func reference(
    _ reference: WirePropertyValue.ReferenceValue, of name: String
  ) throws -> String {
    guard reference.nameSpace.isEmpty else {
      throw ExportError("field '\(name)': its reference has a namespace")
    }
    let project = ExportedDocument.project(of: reference.app)
    let database = database(reference.databaseID)
    guard !project.isEmpty, !reference.pathElement.isEmpty else {
      throw ExportError("field '\(name)': its reference is not complete")
    }
    var segments = ["projects", project, "databases", database, "documents"]
    for element in reference.pathElement {
      let id = element.hasName ? element.name : NumericId.text(of: element.id)
      guard element.hasID || element.hasName, !element.type.isEmpty, !id.isEmpty else {
        throw ExportError("field '\(name)': its reference is not complete")
      }
      segments += [element.type, id]
    }
    guard segments.allSatisfy({ !$0.utf8.contains(UInt8(ascii: "/")) }) else {
      throw ExportError("field '\(name)': its reference has a slash in an id")
    }
    return segments.joined(separator: "/")
  }
}

extension WireProperty {
  fileprivate var isWhole: Bool { hasName && hasMultiple && hasValue }
}
