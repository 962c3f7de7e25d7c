import HearthOperations
import HearthTime
import HearthWire
import Testing

@Suite struct `Wire forms` {
  @Test(arguments: [
    ("request_type", "requestType"), ("DisplayName", "displayName"), ("photoURL", "photoUrl"),
    ("return_oob_link", "returnOobLink"), ("clientDataJSON", "clientDataJson"),
    ("localId", "localId"), ("sha1Cert", "sha1Cert"), ("a b-c", "aBC"), ("", ""),
    ("iOSBundleId", "iOsBundleId"),
  ])
  func `of keys are lower camel case`(key: String, converted: String) {
    #expect(CamelCase.convert(key) == converted)
  }

  @Test(arguments: [
    ("http://localhost", true), ("mailto:x", true), ("localhost:8080", true), ("myapp://x", true),
    ("nope", false), ("", false), ("http://", false), ("http:///", false), ("/path", false),
    ("http://a b", false), ("http://[::1]:80/x", true), ("1http://x", false),
    (" https://x ", true), ("http://x:99999", false), ("javascript:alert(1)", true),
    ("ht\ntp://x", true), ("http://x:+80", false), ("http://%ff", false), ("http://a\u{1}b", false),
    ("http://x%00", false), ("http://a/\u{301}", true), ("http:/\u{301}x", true),
    ("file://C:/x", true), ("file://h ost/", false), ("file://a:80/", false), ("file:a b", true),
    ("foo://", true), ("foo://:80", false), ("foo://u@", false), ("foo://a%zz\u{7F}", true),
    ("foo://a b", false), ("foo:/a b", true), ("foo://[::1]:80/", true), ("foo://[x]", false),
  ])
  func `of URLs are absolute or not`(text: String, isAbsolute: Bool) {
    #expect((WebURL(text) != nil) == isAbsolute)
  }

  @Test(arguments: [
    ("HTTP://User@EXAMPLE.com:80", "example.com", "http://User@example.com/"),
    ("http:\\\\x\\y", "x", "http://x/y"), ("http://1", "0.0.0.1", "http://0.0.0.1/"),
    ("http://0x7f.1:8080/", "127.0.0.1", "http://127.0.0.1:8080/"),
    ("http://2130706433/", "127.0.0.1", "http://127.0.0.1/"),
    ("http://010.0x.3.4./", "8.0.3.4", "http://8.0.3.4/"),
    ("http://%31.2.3.%34", "1.2.3.4", "http://1.2.3.4/"), ("http://1.a", "1.a", "http://1.a/"),
    ("http://[::FFFF:1.2.3.4]:80/", "[::ffff:1.2.3.4]", "http://[::ffff:1.2.3.4]/"),
  ])
  func `of URLs have a host`(text: String, host: String, written: String) throws {
    let url = try #require(WebURL(text))
    #expect(url.host == host)
    #expect(url.serializedBeforeQuery == written)
  }

  @Test(arguments: [
    ("::", true), ("::1", true), ("1::", true), ("1:2:3:4:5:6:7:8", true),
    ("1:2:3:4:5:6:7::", true),
    ("::2:3:4:5:6:7:8", true), ("1:2:3:4:5:6:1.2.3.4", true), ("::255.0.0.1", true),
    ("fe80::1", true),
    ("", false), ("1", false), (":", false), (":::", false), ("1:2:3:4:5:6:7", false),
    ("1:2:3:4:5:6:7:8:9", false), ("1::2::3", false), ("1:2:3:4:5:6:7::8", false),
    ("12345::", false),
    ("g::", false), (":1:2:3:4:5:6:7", false), ("1:2:3:4:5:6:7:1.2.3.4", false), ("::1.2.3", false),
    ("::1.2.3.4.5", false), ("::01.2.3.4", false), ("::256.2.3.4", false), ("1.2.3.4::", false),
    ("fe80::1%eth0", false), ("::+1", false), ("::1.2.3.+4", false),
  ])
  func `of IPv6 addresses count or not`(address: String, counts: Bool) {
    for scheme in ["http", "foo"] {
      #expect((WebURL("\(scheme)://[\(address)]/") != nil) == counts)
    }
  }

  @Test(arguments: [
    "256.1.1.1", "1.2.3.4.5", "x.1", "4294967296", "1.2.3.256", "1.2.65536", "1.16777216", "08",
    "1..2", "1.2.3.08", "0xg.1", "99999999999999999999999", "a.0x1", "1.2.3.4..5",
  ])
  func `of IPv4 addresses are refused`(host: String) {
    #expect(WebURL("http://\(host)/") == nil)
    #expect(WebURL("foo://\(host)/") != nil)
  }

  @Test func `of bytes are base64 in both alphabets`() {
    for length in 0..<40 {
      let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 250) }
      #expect(Base64.decode(Base64.encode(bytes)) == bytes)
      #expect(Base64.decode(Base64.encodeURL(bytes)) == bytes)
    }
    #expect(Base64.encode(Array("ab".utf8)) == "YWI=")
    #expect(Base64.encodeURL([0xFB, 0xFF]) == "-_8")
    for text in ["a", "a=b=", "====", "aé", "YWI=="] where text != "YWI==" {
      #expect(Base64.decode(text) == nil, "\(text)")
    }
  }

  @Test func `of times are ISO 8601`() {
    #expect(Timestamp(milliseconds: 0).iso8601 == "1970-01-01T00:00:00.000Z")
    #expect(Timestamp(milliseconds: 951_782_400_250).iso8601 == "2000-02-29T00:00:00.250Z")
    #expect(Timestamp(milliseconds: -1).iso8601 == "1969-12-31T23:59:59.999Z")
    #expect(Timestamp(seconds: 253_402_300_800).iso8601 == "10000-01-01T00:00:00.000Z")
    #expect(Timestamp(seconds: -62_167_219_201).iso8601 == "-1-12-31T23:59:59.000Z")
    #expect(Timestamp.text(seconds: 0, nanoseconds: 0) == "1970-01-01T00:00:00Z")
    #expect(Timestamp.text(seconds: 0, nanoseconds: 50_000) == "1970-01-01T00:00:00.000050Z")
    #expect(Timestamp.text(seconds: 0, nanoseconds: 7) == "1970-01-01T00:00:00.000000007Z")
    #expect(Timestamp(milliseconds: -1).seconds == -1)
    #expect(CalendarTime(Timestamp(milliseconds: 0)).weekday == 4)
    #expect(CalendarTime(Timestamp(milliseconds: -1)).weekday == 3)
    #expect(CalendarTime(Timestamp(milliseconds: 951_782_400_250)).weekday == 2)
    #expect(Timestamp(milliseconds: -1000).seconds == -1)
    for extreme in [Int64.min, .max] {
      #expect(!Timestamp(milliseconds: extreme).iso8601.isEmpty)
    }
    #expect(Timestamp(milliseconds: 1999).seconds == 1)
  }

  @Test(arguments: [
    "", "/", "a", "a/b", "/a", "a/", "//a//", "größe/日本/\u{301}", "projects/p/databases",
  ])
  func `of paths are split at slashes, and joined by them`(path: String) {
    #expect(path.splitAtSlashes.joinedBySlashes.hasSameBytes(as: path))
  }

  @Test func `of paths match templates`() {
    struct Row: RouteRow {
      let method: String
      let template: PathTemplate
      init(_ method: String, template: String) {
        self.method = method
        self.template = PathTemplate(template)
      }
    }
    let table = RouteTable([
      Row("GET", template: "/p/{p}/t/{t}"), Row("POST", template: "/p/{p}/t/{t}:act"),
      Row("POST", template: "/p/{p}:run"),
      Row("GET", template: "/p/lit"), Row("POST", template: "/d/{parent=**}:runQuery"),
      Row("GET", template: "/d/{path=**}"), Row("GET", template: "/{any}/end"),
    ])
    func found(_ method: String, path: String) -> String? {
      guard case .found(let row, let variables) = table.match(method: method, path: path[...])
      else { return nil }
      let values = variables.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      return ([row.template.description] + values).joined(separator: " ")
    }
    #expect(found("GET", path: "/p/a/t/") == "/p/{p}/t/{t} p=a t=")
    #expect(found("GET", path: "/p/a%20b/t/c:d") == "/p/{p}/t/{t} p=a b t=c:d")
    #expect(found("POST", path: "/p/a/t/b:act") == "/p/{p}/t/{t}:act p=a t=b")
    #expect(found("POST", path: "/p/a%3Arun") == nil)
    #expect(found("GET", path: "/p/a/t/b/") == nil)
    #expect(found("POST", path: "/d/x/y/z:runQuery") == "/d/{parent=**}:runQuery parent=x/y/z")
    #expect(found("GET", path: "/d/x/y:z") == "/d/{path=**} path=x/y:z")
    #expect(found("GET", path: "/d/x/y:runQuery:no") == "/d/{path=**} path=x/y:runQuery:no")
    #expect(found("GET", path: "/d/x%2Fy/") == "/d/{path=**} path=x/y/")
    #expect(found("GET", path: "/d") == "/d/{path=**} path=")
    #expect(found("GET", path: "/something/end") == "/{any}/end any=something")
    #expect(found("GET", path: "nothing") == nil && found("GET", path: "") == nil)
    guard case .wrongMethod(let allowed) = table.match(method: "GET", path: "/p/a/t/b:act") else {
      Issue.record("a more specific template owns the path")
      return
    }
    #expect(allowed == ["POST"])
  }

  @Test(arguments: [
    ("/d/{p}/{path=**}", "/d/a", []), ("/d/{p}/{path=**}", "/d/a/", [""]),
    ("/d/{p}/{path=**}", "/d/a/b%2Fc/%20:run", ["b/c", " :run"]),
    ("/d/{p}/{path=**}:run", "/d/a/b/c:run", ["b", "c"]), ("/d/{p}:run", "/d/a:run", []),
  ])
  func `of paths have the segments of the rest`(
    _ template: String, _ path: String, _ segments: [String]
  ) {
    #expect(PathTemplate(template).rest(of: path[...]) == segments)
  }

  @Test func `of masks copy what is there`() throws {
    let stored = JSONObject(["a": ["x": 1, "y": 2]])
    let update = JSONObject(["a": ["x": 9], "b": ["c": 3], "n": .null])
    let mask = FieldMask("a.x,b.c,missing.z,a.none,n")
    let expected: JSON = ["a": ["x": 9, "y": 2], "b": ["c": 3]]
    #expect(.object(mask.copy(from: update, into: stored)) == expected)
  }

  @Test func `of fields select parts`() throws {
    let answer = JSONObject(["kind": "k", "users": [["localId": "a", "email": "b"]]])
    for text in ["users(localId)", "users/localId"] {
      let selector = try #require(FieldSelector(text))
      #expect(.object(selector.select(answer)) == ["users": [["localId": "a"]]] as JSON)
    }
    #expect(FieldSelector("a(") == nil && FieldSelector("") == nil)
  }

  @Test func `of imports are cut in pieces, wherever the chunks end`() throws {
    let text =
      #"{"kind":"users","x":["users"],"users": [{"a":"],["},{"b":[1,{"c":"\"}"}]} ], "z":1}"#
    for size in 1...text.utf8.count {
      var scanner = JSONElementScanner(member: "users")
      var elements: [JSON] = []
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        try scanner.feed(rest.prefix(size)) { elements.append($0) }
        rest = rest.dropFirst(size)
      }
      try scanner.finish()
      #expect(elements == [["a": "],["], ["b": [1, ["c": "\"}"]]]])
    }
  }

  @Test(arguments: [
    ("", 0), ("[]", 0), (#"{"users": 5}"#, 0), (#"{"users": [1"#, 12),
    (#"{"users": [{"a": b}]}"#, 17),
    (#"{"users": [1,,2]}"#, 13), (#"{"users": [1,]}"#, 13), (#"{"users": [}]}"#, 11),
    (#"{"users": [1, 2], "b": c}"#, 23), (#"{"users": [1]}]"#, 14),
  ])
  func `of imports that are broken are known by the place`(text: String, place: Int) throws {
    var scanner = JSONElementScanner(member: "users")
    let error = #expect(throws: JSON.ParseError.self) {
      try scanner.feed(text.utf8) { _ in }
      try scanner.finish()
    }
    #expect(error?.offset == place, "\(text)")
  }
}
