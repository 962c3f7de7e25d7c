import Foundation
import HearthExports
import HearthFirestore
import HearthFirestoreProtos
import SwiftProtobuf
import Testing

/// What exports of production and of Datastore have beyond what the emulator writes.
@Suite struct `Legacy records` {
  private static func entity(_ properties: [WireProperty], indexed: [WireProperty] = [])
    -> WireEntityProto
  {
    var entity = WireEntityProto()
    entity.key.app = "s~prod"
    var element = WirePath.Element()
    element.type = "c"
    element.name = "d"
    entity.key.path.element = [element]
    entity.entityGroup.element = [element]
    entity.rawProperty = properties
    entity.property = indexed
    return entity
  }

  private static func property(
    _ name: String, meaning: Int32? = nil, multiple: Bool = false,
    set: (inout WirePropertyValue) -> Void
  ) -> WireProperty {
    var property = WireProperty()
    property.name = name
    if let meaning { property.meaning = meaning }
    property.multiple = multiple
    var value = WirePropertyValue()
    set(&value)
    property.value = value
    return property
  }

  private static func read(_ entity: WireEntityProto) throws -> Fields {
    try EntityReader.document(try entity.serializedBytes()).fields
  }

  @Test func `Indexed and other properties are the same fields`() throws {
    let fields = try Self.read(
      Self.entity(
        [Self.property("b") { $0.int64Value = 2 }],
        indexed: [Self.property("a") { $0.stringValue = Data("x".utf8) }]))
    #expect(fields.keys == ["a", "b"])
    #expect(fields["a"]?.stringValue == "x")
    #expect(fields["b"]?.integerValue == 2)
  }

  @Test(arguments: [2, 8, 15, 17] as [Int32])
  func `A text with a meaning is a text`(meaning: Int32) throws {
    let fields = try Self.read(
      Self.entity([Self.property("t", meaning: meaning) { $0.stringValue = Data("x".utf8) }]))
    #expect(fields["t"]?.stringValue == "x")
  }

  @Test func `What is not a text is bytes`() throws {
    let fields = try Self.read(
      Self.entity([
        Self.property("a", meaning: 16) { $0.stringValue = Data("x".utf8) },
        Self.property("b") { $0.stringValue = Data([0xFF]) },
        Self.property("c") {
          $0.pointValue.x = 1
          $0.pointValue.y = 2
        },
        Self.property("d", meaning: 7) { $0.int64Value = .max },
        Self.property("e") { $0.userValue.email = "a@b.c" },
      ]))
    #expect(fields["a"]?.bytesValue == Data("x".utf8))
    #expect(fields["b"]?.bytesValue == Data([0xFF]))
    #expect(fields["c"]?.geoPointValue.longitude == 2)
    #expect(fields["d"]?.integerValue == .max)
    #expect(fields["e"]?.stringValue == "a@b.c")
  }

  @Test func `A name that appears twice is an array`() throws {
    let fields = try Self.read(
      Self.entity([
        Self.property("a") { $0.int64Value = 1 }, Self.property("b") { $0.int64Value = 2 },
        Self.property("a") { $0.int64Value = 3 },
      ]))
    #expect(fields["a"]?.arrayValue.values.map(\.integerValue) == [1, 3])
  }

  @Test func `What makes no sense is refused`() throws {
    let broken = [
      Self.property("e", meaning: 24, multiple: true) { _ in },
      Self.property("m", meaning: 19) { $0.stringValue = Data([0xFF]) },
      Self.property("v", meaning: 31, multiple: true) { $0.int64Value = 1 },
      Self.property("") { $0.int64Value = 1 },
    ]
    for property in broken {
      #expect(throws: ExportError.self, "\(property.name)") {
        _ = try Self.read(Self.entity([property]))
      }
    }
    var named = Self.entity([])
    named.key.nameSpace = "n"
    #expect(throws: ExportError.self) { _ = try Self.read(named) }
  }
}
