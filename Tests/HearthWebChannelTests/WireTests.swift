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

  @Test func `text is quoted`() {
    #expect(JSONText.quoted("a\"\\\n\u{7F}😀") == #""a\"\\\u000a\u007f\ud83d\ude00""#)
  }

  @Test func `a form is read leniently`() {
    let fields = FormFields(parsing: "a=1%2&b&=c&a=2&d==%zz%41+".utf8)
    #expect(fields.pairs.map(\.name) == ["a", "b", "", "a", "d"])
    #expect(fields.pairs.map(\.value) == ["1%2", "", "c", "2", "=%zzA "])
    #expect(fields["a"] == "1%2")
  }

  @Test func `header lines are read leniently`() {
    #expect(
      HeaderLines.parse("A:b\r\nC: d:e \r\n\r\n:x\r\nnothing\nF:") == [
        ChannelHeader("A", "b"), ChannelHeader("C", "d:e"), ChannelHeader("F", ""),
      ])
  }
}
