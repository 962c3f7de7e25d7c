import Foundation
import HearthCrypto
import HearthErrors
import HearthFirestoreProtos
import HearthTestSupport
import HearthWire
import SwiftProtobuf
import Testing

@testable import HearthFirestore
@testable import HearthFirestoreJSON

private let firestoreType = "type.googleapis.com/google.firestore.v1"
private let first = "fields[0].value"

@Suite struct `The JSON of a message` {
  private func text(_ message: some Message) throws -> String {
    String(decoding: try FirestoreJSON.encode(message), as: UTF8.self)
  }

  private func document(_ text: String) throws(APIError) -> Document {
    try FirestoreJSON.decode(Array(text.utf8))
  }

  private func value(_ text: String) throws(APIError) -> Value {
    try document("{\"fields\":{\"v\":\(text)}}").fields["v"] ?? Value()
  }

  @Test(arguments: UInt64(0)..<16) func `comes back as it was`(seed: UInt64) throws {
    var random = SplitMix(seed: seed &+ 1000)
    for _ in 0..<60 {
      let message = Document.with {
        $0.name = random.edgeText()
        for _ in 0..<random.number(0...6) {
          $0.fields[random.edgeText()] = random.edgeValue(depth: 4)
        }
        $0.createTime = ProtoTimestamp(microseconds: Int64.random(in: 0..<1 << 52, using: &random))
      }
      let bytes = try FirestoreJSON.encode(message)
      let back: Document = try FirestoreJSON.decode(bytes)
      #expect(back.exact == message.exact, "seed \(seed)")
      #expect(back.fields.keys.map(\.exact) == message.fields.keys.map(\.exact), "seed \(seed)")
      #expect(try FirestoreJSON.encode(back) == bytes)
      // Other readers take it for JSON too.
      #expect(throws: Never.self) { try JSON.parse(bytes) }
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(bytes)) }
    }
  }

  @Test(arguments: UInt64(0)..<8) func `of queries comes back as it was`(seed: UInt64) throws {
    var random = SplitMix(seed: seed &+ 1100)
    let model = Model()
    for _ in 0..<60 {
      var request = RunQueryRequest()
      let query = random.query(model)
      request.parent = query.parent
      request.structuredQuery = query.message
      let back: RunQueryRequest = try FirestoreJSON.decode(FirestoreJSON.encode(request))
      #expect(
        try back.serializedBytes() as [UInt8] == request.serializedBytes() as [UInt8],
        "seed \(seed)")
    }
  }

  @Test func `keeps the order of fields on every level`() throws {
    let json =
      #"{"fields":{"z":{"integerValue":"1"},"a":{"mapValue":{"fields":"#
      + #"{"y":{"nullValue":null},"b":{"arrayValue":{"values":[{"mapValue":{"fields":"#
      + #"{"10":{"booleanValue":true},"9":{"doubleValue":1.5}}}}]}}}}},"M":{"stringValue":"x"}}}"#
    #expect(try text(try document(json)) == json)
  }

  @Test(arguments: [
    (#"{"integerValue":-7}"#, "-7"), (#"{"integerValue":5.0}"#, "5"),
    (#"{"integerValue":1e3}"#, "1000"), (#"{"integerValue":"1e3"}"#, "1000"),
    (#"{"integerValue":"9223372036854775807"}"#, "9223372036854775807"),
    (#"{"integer_value":"1"}"#, "1"), (#"{"doubleValue":"1.5"}"#, "1.5d"),
    (#"{"doubleValue":-0.0}"#, "-0.0d"), (#"{"doubleValue":"NaN"}"#, "NaN"),
    (#"{"doubleValue":"-Infinity"}"#, "-infd"), (#"{"booleanValue":"true"}"#, "true"),
    (#"{"booleanValue":"false"}"#, "false"), (#"{"stringValue":5}"#, "\"5\""),
    (#"{"stringValue":true}"#, "\"true\""),
    (#"{"stringValue":-1.50}"#, "\"-1.50\""),
    (#"{"stringValue":"\ud83d\ude00"}"#, "\"\\u{1f600}\""),
    (#"{"stringValue":"a\ud83db"}"#, "\"a\\u{fffd}b\""), (#"{"nullValue":"NULL_VALUE"}"#, "null"),
    (#"{"nullValue":0}"#, "null"), (#"{"bytesValue":"AP-_"}"#, "bytes[0, 255, 191]"),
    (#"{"bytesValue":"AP8"}"#, "bytes[0, 255]"),
    (#"{"timestampValue":"2024-01-01T01:00:00.5+01:00"}"#, "1704067200s500000000"),
    (#"{"geoPointValue":{"latitude":"1"}}"#, "geo(1.0, 0.0)"), (#"{"mapValue":{}}"#, "{}"),
    (#"{"arrayValue":{"values":null}}"#, "[]"), (#"{"stringValue":null,"integerValue":"1"}"#, "1"),
    (#"{"stringValue":"a","stringValue":"b"}"#, "\"b\""),
    (
      #"{"arrayValue":{"values":[{"integerValue":"1"}]},"arrayValue":{"values":[{"nullValue":null}]}}"#,
      "[null]"
    ),
    (#" { "integerValue" : "1" } "#, "1"),
  ])
  func `is read leniently`(given: String, wanted: String) throws {
    #expect(try value(given).exact == wanted)
  }

  @Test(arguments: [
    ("", "Unexpected end of string. Expected a value.\n\n^"),
    ("[]", "Unknown name \"\": Root element must be a message."),
    ("nothing", "Unexpected token.\nnothing\n^"),
    (#"{"name":"#, "Unexpected end of string. Expected a value.\n\n^"),
    (#"{"name":"x" "#, "Expected , or } after key:value pair.\n{\"name\":\"x\" \n            ^"),
    (#"{"name":"x"#, "Closing quote expected in string.\n{\"name\":\"x\n          ^"),
    ("{} x", "Parsing terminated before end of input.\n{} x\n   ^"),
    ("{name x", "Expected : between key:value pair.\n{name x\n      ^"),
    (#"{'fields':{}}"#, "Expected an object key or }.\n{'fields':{}}\n ^"),
    (#"{"unknown":1}"#, "Unknown name \"unknown\": Cannot find field."),
    (
      #"{"fields":{"a b":{"x":1}}}"#,
      "Unknown name \"x\" at '\(first)': Cannot find field."
    ),
    (
      #"{"fields":{"a":{"stringValue":[]}}}"#,
      "Unknown name \"stringValue\" at '\(first)': Proto field is not repeating, cannot start list."
    ),
    (#"{"name":"\x"}"#, "Closing quote expected in string.\n{\"name\":\"\\x\"}\n           ^"),
    ("{\"name\":\"\u{1}\"}", "Closing quote expected in string.\n{\"name\":\"\u{1}\"}\n         ^"),
  ])
  func `that is not one is refused in Google's words`(given: String, wanted: String) {
    let error = #expect(throws: APIError.self) { try document(given) }
    #expect(error?.message == "Invalid JSON payload received. \(wanted)")
    #expect(error?.code.row.status == "INVALID_ARGUMENT")
  }

  @Test(arguments: [
    (#"{"fields":{"a":1}}"#, "fields[0].value", "(\(firestoreType).Value), 1"),
    (#"{"fields":{"a":null}}"#, "fields[0].value", "(\(firestoreType).Value), null"),
    (#"{"fields":{"a":{"integerValue":"x"}}}"#, "\(first).integer_value", #"(TYPE_INT64), "x""#),
    (
      #"{"fields":{"a":{"integerValue":"9223372036854775808"}}}"#, "\(first).integer_value",
      #"(TYPE_INT64), "9223372036854775808""#
    ),
    (
      #"{"fields":{"a":{"doubleValue":"0x1p3"}}}"#, "\(first).double_value",
      #"(TYPE_DOUBLE), "0x1p3""#
    ),
    (#"{"fields":{"a":{"doubleValue":1e999}}}"#, "\(first).double_value", "(TYPE_DOUBLE), 1e999"),
    (#"{"fields":{"a":{"booleanValue":"yes"}}}"#, "\(first).boolean_value", #"(TYPE_BOOL), "yes""#),
    (
      #"{"fields":{"a":{"bytesValue":"a b*"}}}"#, "\(first).bytes_value",
      #"(TYPE_BYTES), Base64 decoding failed for "a b*""#
    ),
    (
      #"{"fields":{"a":{"timestampValue":"today"}}}"#, "\(first).timestamp_value",
      "(type.googleapis.com/google.protobuf.Timestamp), Field 'timestampValue', "
        + "Illegal timestamp format; timestamps must end with 'Z' or have a valid timezone offset."
    ),
    (
      #"{"fields":{"a":{"timestampValue":"0000-01-01T00:00:00Z"}}}"#, "\(first).timestamp_value",
      "(type.googleapis.com/google.protobuf.Timestamp), Field 'timestampValue', "
        + "Timestamp value exceeds limits"
    ),
    (
      #"{"fields":{"a":{"stringValue":"x","integerValue":"1"}}}"#, "fields[0].value",
      "(oneof), oneof field 'value_type' is already set. Cannot set 'integerValue'"
    ),
    (
      #"{"fields":{"b":{},"a":{"arrayValue":{"values":[{"nullValue":null},1]}}}}"#,
      "fields[1].value.array_value.values[1]", "(\(firestoreType).Value), 1"
    ),
  ])
  func `that has a wrong value is refused with its place`(
    given: String, place: String, wanted: String
  ) {
    let error = #expect(throws: APIError.self) { try document(given) }
    let message = "Invalid value at '\(place)' \(wanted)"
    #expect(error?.message == message)
    #expect(
      error?.details == [
        [
          "@type": "type.googleapis.com/google.rpc.BadRequest",
          "fieldViolations": [["field": .string(place), "description": .string(message)]],
        ]
      ])
  }

  @Test func `is read leniently where production does`() throws {
    let text =
      #"{"structuredQuery":{"from":[{"collectionId":"a"},],"limit":{"value":3},"#
      + #""orderBy":[{"direction":"descending"}],},}"#
    let request: RunQueryRequest = try FirestoreJSON.decode(Array(text.utf8), isLenient: true)
    #expect(request.structuredQuery.limit.value == 3)
    #expect(request.structuredQuery.orderBy[0].direction == .descending)
    #expect(throws: APIError.self) {
      try FirestoreJSON.decode(Array(text.utf8), as: RunQueryRequest.self)
    }
  }

  /// Each of these was a walk along megabytes.
  @Test func `that gives a member again and again is refused`() throws {
    func again(_ count: Int) -> String {
      "{" + (0..<count).map { #""fields":{"a":{"integerValue":"\#($0)"}}"# }.joined(separator: ",")
        + "}"
    }
    #expect(try document(again(21)).fields.exact == (["a": 20] as Fields).exact)
    let error = #expect(throws: APIError.self) { try document(again(22)) }
    #expect(error?.message.hasSuffix("The field \"fields\" is given too often.") == true)
    let names = Array(repeating: #""name":"x""#, count: 1000).joined(separator: ",")
    #expect(try document("{\(names)}").name == "x")
  }

  @Test func `has short refusals`() {
    let error = #expect(throws: APIError.self) {
      try document("{\"\(String(repeating: "x", count: 100_000))\":1}")
    }
    #expect(error.map { $0.message.count < 300 } == true)
  }

  @Test func `that is not UTF-8 is refused`() {
    let error = #expect(throws: APIError.self) {
      try FirestoreJSON.decode(
        Array(#"{"name":""#.utf8) + [0xFF] + Array("\"}".utf8), as: Document.self)
    }
    #expect(error?.message == "Invalid JSON payload received. A string is not UTF-8.")
  }

  @Test func `that is nested too deeply is refused`() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: #"{"mapValue":{"fields":{"a":"#, count: depth) + #"{"nullValue":null}"#
        + String(repeating: "}}}", count: depth)
    }
    #expect(throws: Never.self) { try value(nested(41)) }
    for depth in [43, 1000, 100_000] {
      let error = #expect(throws: APIError.self) { try value(nested(depth)) }
      #expect(
        error?.message.hasSuffix("Objects and arrays are nested deeper than 128 levels.") == true)
    }
  }

  @Test func `has labels, enumerations, wrappers and packed numbers`() throws {
    let json =
      #"{"database":"d","addTarget":{"query":{"parent":"p","structuredQuery":{"#
      + #""from":[{"collectionId":"c","allDescendants":true}],"#
      + #""orderBy":[{"field":{"fieldPath":"a"},"direction":"DESCENDING"}],"limit":5}},"#
      + #""targetId":2,"expectedCount":0},"labels":{"b":"1"}}"#
    let request: ListenRequest = try FirestoreJSON.decode(Array(json.utf8))
    #expect(request.labels == ["b": "1"])
    #expect(request.addTarget.query.structuredQuery.limit.value == 5)
    #expect(request.addTarget.query.structuredQuery.orderBy[0].direction == .descending)
    #expect(request.addTarget.hasExpectedCount)
    #expect(try text(request) == json)
    let response = ListenResponse.with {
      $0.targetChange.targetIds = [1, 2, -3]
      $0.targetChange.targetChangeType = .current
      $0.targetChange.resumeToken = Data([1, 2])
      $0.targetChange.readTime = ProtoTimestamp(microseconds: 1_500_000)
    }
    #expect(
      try text(response) == #"{"targetChange":{"targetChangeType":"CURRENT","targetIds":[1,2,-3],"#
        + #""resumeToken":"AQI=","readTime":"1970-01-01T00:00:01.500Z"}}"#)
  }

  /// Whatever comes is read or refused.
  @Test(arguments: UInt64(0)..<20) func `may be anything`(seed: UInt64) {
    var random = SplitMix(seed: seed &+ 1200)
    let pieces = [
      "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "d83d", "null", "true", "1", "-", "1e9", ".",
      #""fields""#, #""mapValue""#, #""arrayValue""#, #""values""#, #""integerValue""#,
      #""doubleValue""#, #""stringValue""#, #""bytesValue""#, #""timestampValue""#, #""a""#, "NaN",
      #"{"fields":{"#, #""a":{"stringValue":"x"}"#, #""name":"#, "\u{0}", "é", " ",
      #""2024-01-01T00:00:00Z""#, "99999999999999999999", #""geoPointValue":{"latitude":1}"#,
    ]
    let whole = Array(
      #"{"name":"n","fields":{"a":{"mapValue":{"fields":{"b":{"arrayValue":{"values":[{"integerValue":"1"},{"doubleValue":1.5},{"bytesValue":"AQ=="},{"timestampValue":"2024-01-01T00:00:00Z"}]}}}}},"é":{"stringValue":"\ud83d\ude00"}}}"#
        .utf8)
    for _ in 0..<1000 {
      var bytes: [UInt8]
      if random.chance(50) {
        bytes = (0..<random.number(0...30)).flatMap { _ in Array(random.pick(pieces).utf8) }
      } else {
        bytes = whole
        for _ in 0..<random.number(1...4) where !bytes.isEmpty {
          let place = random.number(0...bytes.count - 1)
          switch random.number(0...3) {
          case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
          case 1: bytes.remove(at: place)
          case 2: bytes.insert(contentsOf: Array(random.pick(pieces).utf8), at: place)
          default: bytes.removeSubrange(place...)
          }
        }
      }
      if let read = try? FirestoreJSON.decode(bytes, as: Document.self) {
        #expect(throws: Never.self) { try JSON.parse(try FirestoreJSON.encode(read)) }
      }
      // The same bytes, taken for a message on the wire.
      bytes.withUnsafeBufferPointer { bytes in
        guard let table = MessageTables.shared[Document.protoMessageName] else { return }
        var transcoder = WireToJSON(bytes, into: [])
        transcoder.document(table)
        #expect(transcoder.output.first == UInt8(ascii: "{"))
      }
    }
  }

  /// The table is generated with the messages: it knows each of them.
  @Test func `is known for every message`() {
    let names = MessageTables.shared.all.map(\.name)
    #expect(names.count > 60 && Set(names).count == names.count)
    for table in MessageTables.shared.all { #expect(table.fields.count <= 64, "\(table.name)") }
  }
}
