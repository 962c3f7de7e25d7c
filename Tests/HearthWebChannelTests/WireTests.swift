import HearthWire
import Testing

@testable import HearthWebChannel

@Suite struct `On the wire` {
  @Test(arguments: [
    (#"{"a":1}"#, #"{"a":1}"#),
    ("\"é\u{2028}\"", #""\u00e9\u2028""#),
    (#""😀""#, #""\ud83d\ude00""#),
    ("", ""),
  ])
  func `JSON is ASCII`(json: String, ascii: String) {
    #expect(String(decoding: JSONText.ascii(json), as: UTF8.self) == ascii)
  }

  @Test func `a failure is JSON`() throws {
    let failure = ChannelFailure(code: 403, status: "PERMISSION_DENIED", message: "a\"\\\n\u{7F}😀")
    let error = try JSON.parse(failure.json)["error"]
    #expect(error?["code"] == 403 && error?["status"] == "PERMISSION_DENIED")
    #expect(error?["message"] == "a\"\\\n\u{7F}😀")
  }

  @Test func `header lines are read leniently`() {
    #expect(
      HeaderLines.parse("A:b\r\nC: d:e \r\n\r\n:x\r\nnothing\nF:") == [
        ChannelHeader("A", value: "b"), ChannelHeader("C", value: "d:e"),
        ChannelHeader("F", value: ""),
      ])
  }
}
