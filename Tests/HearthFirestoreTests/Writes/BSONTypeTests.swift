import Foundation
import HearthErrors
import HearthFirestore
import HearthFirestoreProtos
import SwiftProtobuf
import Testing

/// The refusals are those of the official emulator.
@Suite struct `Values of the Enterprise edition` {
  private static let null = Value.with { $0.nullValue = .nullValue }
  private static let bytes = Value.with { $0.bytesValue = Data([1, 2, 3]) }
  private static let map = Value.object(["pattern": "a", "options": "i"])

  private static let refused: [(name: String, value: Value, message: String)] = [
    ("__min__", null, "Value type MIN_VALUE is not allowed"),
    ("__max__", null, "Value type MAX_VALUE is not allowed"),
    ("__min__", 1, "Field __min__ is not null."),
    ("__decimal128__", "1.5", "Value type DECIMAL128 is not allowed"),
    ("__decimal128__", "abc", "Invalid decimal128 string."),
    ("__decimal128__", 1, "Field __decimal128__ is not a string."),
    ("__oid__", "507f191e810c19729de860ea", "Value type OBJECT_ID is not allowed"),
    ("__oid__", "x", "Object ID hex string has incorrect length."),
    ("__int__", 1, "Value type INT is not allowed"),
    ("__int__", "1", "Field __int__ is not a long."),
    (
      "__int__", 1_099_511_627_776,
      "The field '__int__' value (1,099,511,627,776) is too large to be converted to a 32-bit "
        + "integer."
    ),
    ("__regex__", map, "Value type REGEX is not allowed"),
    ("__regex__", "a", "Field __regex__ is not a map."),
    ("__request_timestamp__", map, "Value type REQUEST_TIMESTAMP is not allowed"),
    ("__request_timestamp__", 1, "Field __request_timestamp__ is not a map."),
    ("__binary__", bytes, "Value type BYTES_WITH_SUBTYPE is not allowed"),
    ("__binary__", "1", "Field __binary__ does not contain bytes."),
    ("__other__", 1, "field name '__other__' is reserved."),
  ]

  private func message(_ value: Value) async throws -> String? {
    let rig = try Rig()
    let error = await #expect(throws: APIError.self) {
      try await rig.commit([.set("c/a", fields: ["f": value])])
    }
    #expect(error?.code == .invalidArgument)
    return error?.message
  }

  @Test(arguments: refused) func `are refused`(
    name: String, value: Value, wanted: String
  ) async throws {
    #expect(try await message(.object([name: value])) == wanted)
  }

  @Test func `are refused with the name of the field where they are within a map`() async throws {
    let inner = Value.object(["g": .object(["__decimal128__": "1"])])
    #expect(try await message(inner) == "Property f contains an invalid nested entity.")
  }

  @Test func `have no second name`() async throws {
    let two = Value.object(["__min__": Self.null, "a": 1])
    #expect(try await message(two) == "field name '__min__' is reserved.")
  }
}
