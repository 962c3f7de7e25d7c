import HearthPages
import HearthTestSupport
import HearthTime
import HearthWire
import Testing

@testable import HearthDialects

/// What the shipped definitions do not use: codes by SMS, limits that refuse, languages, forms.
@Suite struct `A dialect` {
  private final class Stage {
    let backEnd = MemoryBackEnd()
    let clock = ManualClock()
    let engine: DialectEngine

    init(_ edits: [Edit] = []) throws {
      engine = try Sample.engine(edits)
      backEnd.add(
        id: "ana", email: "ana@example.com", phone: "+15555550100", displayName: "<Ana>\r\nB: c")
      backEnd.add(id: "bo", email: "bo@example.com", phone: "+15555550101")
      backEnd.add(id: "off", email: "off@example.com", phone: "+15555550102", isDisabled: true)
    }

    func send(
      _ method: String, path: String, body: JSON = [:], headers: [String: String] = [:],
      from address: String = "127.0.0.1"
    ) throws -> DialectAnswer {
      let parts = path.split(separator: "?", maxSplits: 1)
      let request = DialectRequest(
        method: method, path: "/auth" + parts[0],
        query: FormFields(parsing: parts.count > 1 ? parts[1] : ""),
        headers: headers.map { (name: $0.key, value: $0.value) }, body: body.bytes,
        remoteAddress: address)
      let call = try #require(engine.call(request))
      return try engine.answer(call, in: backEnd, now: clock.now)
    }

    var code: String { backEnd.messages.last?.code ?? "" }

    /// A code that is not the one that was sent.
    var wrongCode: String { code == "000000" ? "000001" : "000000" }
  }

  @Test func `sends a code by text message, for one account alone`() throws {
    let stage = try Stage()
    let answer = try stage.send("POST", path: "/forgot", body: ["phone": "+1 (555) 555-0100"])
    #expect(answer.status == 202)
    #expect(answer.body == ["ok": true, "text": "Sent to +1 (555) 555-0100"])
    let message = try #require(stage.backEnd.messages.first)
    #expect(message.channel == .sms)
    #expect(message.recipient == "+15555550100")
    #expect(message.text == "Sample code \(stage.code)")
    #expect(message.html == "" && message.subject == "")
    #expect(message.expiresAt == stage.clock.now + .seconds(600))

    let new: JSON = [
      "code": .string(stage.code), "password": "n3w-pass", "again": "n3w-pass",
      "phone": "+15555550101",
    ]
    #expect(try stage.send("PUT", path: "/password", body: new).outcome == .unknownToken)
    let own = Edit("/phone", value: "+15555550100").applied(to: new)
    #expect(try stage.send("PUT", path: "/password", body: own).body == ["id": "ana"])
    #expect(stage.backEnd.revoked == ["ana"])
    #expect(stage.backEnd.signsIn("ana@example.com", password: "n3w-pass"))
    #expect(try stage.send("PUT", path: "/password", body: own).outcome == .usedToken)
  }

  @Test func `counts wrong codes against the token that the account waits for`() throws {
    let stage = try Stage()
    _ = try stage.send("POST", path: "/forgot", body: ["phone": "+15555550100"])
    for _ in 0..<3 {
      let path = "/tokens/\(stage.wrongCode)?phone=%2B15555550100"
      #expect(try stage.send("GET", path: path).outcome == .unknownToken)
    }
    let answer = try stage.send("GET", path: "/tokens/\(stage.code)?phone=%2B15555550100")
    #expect(answer.outcome == .exhaustedToken)
    #expect(answer.status == 423)
    #expect(stage.backEnd.settled.map(\.end) == [.exhausted])
  }

  @Test func `tells of a token what its template asks for`() throws {
    let stage = try Stage()
    _ = try stage.send("POST", path: "/forgot", body: ["phone": "+15555550101"])
    stage.clock.advance(by: .seconds(100))
    let body = try stage.send("GET", path: "/tokens/\(stage.code)").body
    let end = stage.clock.now.seconds + 500
    #expect(
      body == [
        "in": 500, "at": .int(end), "name": .null, "literal": "{x}", "text": "in 500 s",
      ])
  }

  @Test func `keeps no code and no session in its rows, and tells none in a refusal`() throws {
    let stage = try Stage()
    _ = try stage.send("POST", path: "/forgot", body: ["phone": "+15555550100"])
    let signIn: JSON = ["email": "ana@example.com", "password": "old-password"]
    let session = try #require(
      try stage.send("POST", path: "/login", body: signIn).body?["session"]?.string)
    let rows = stage.backEnd.rows.map { "\($0.key.key) \($0.value.text)" }.joined()
    #expect(!rows.contains(session))
    #expect(!rows.contains("\"\(stage.code)\""))
    for code in [stage.code, stage.wrongCode, "12"] {
      let body: JSON = ["code": .string(code), "password": "short", "again": "short"]
      let text = try stage.send("PUT", path: "/password", body: body).body?.text
      #expect(text?.contains(code) == false)
    }
  }

  @Test func `takes no other secret whose row is found by chance`() throws {
    let stage = try Stage()
    stage.backEnd.digestsCollide = true
    _ = try stage.send("POST", path: "/forgot", body: ["phone": "+15555550100"])
    #expect(try stage.send("GET", path: "/tokens/\(stage.wrongCode)").outcome == .unknownToken)
    #expect(try stage.send("GET", path: "/tokens/\(stage.code)").outcome == .valid)
    let body: JSON = ["phone": "+15555550100", "password": "old-password"]
    let session = try #require(
      try stage.send("POST", path: "/login", body: body).body?["session"]?.string)
    let other = String(session.reversed())
    #expect(try stage.send("GET", path: "/users/me", headers: ["X-Session": other]).status == 401)
    #expect(try stage.send("GET", path: "/users/me", headers: ["X-Session": session]).status == 200)
  }

  @Test func `refuses a request that comes too soon, and says how long to wait`() throws {
    let stage = try Stage()
    for phone in ["+15555550100", "+15555550999"] {
      _ = try stage.send("POST", path: "/forgot", body: ["phone": .string(phone)], from: phone)
      stage.clock.advance(by: .milliseconds(10_500))
      let answer = try stage.send(
        "POST", path: "/forgot", body: ["phone": .string(phone)], from: phone)
      #expect(answer.outcome == .tooSoon)
      #expect(answer.status == 429)
      #expect(answer.body == ["wait": 20])
      #expect(answer.headers.first { $0.name == "Retry-After" }?.value == "20")
      stage.clock.advance(by: .milliseconds(19_500))
      #expect(
        try stage.send("POST", path: "/forgot", body: ["phone": .string(phone)], from: phone)
          .outcome
          == .accepted)
    }
    #expect(stage.backEnd.messages.count == 2)
  }

  @Test func `refuses a fourth request of an account and a sixth of an address`() throws {
    let stage = try Stage()
    for _ in 0..<3 {
      #expect(
        try stage.send("POST", path: "/forgot", body: ["phone": "+15555550100"]).status == 202)
      stage.clock.advance(by: .seconds(60))
    }
    let fourth = try stage.send("POST", path: "/forgot", body: ["phone": "+15555550100"])
    #expect(fourth.outcome == .tooManyRequests)
    #expect(fourth.body == ["wait": .int(3_600 - 180)])
    #expect(try stage.send("POST", path: "/forgot", body: ["phone": "+15555550101"]).status == 202)
    #expect(try stage.send("POST", path: "/forgot", body: ["phone": "+15555550103"]).status == 202)
    #expect(try stage.send("POST", path: "/forgot", body: ["phone": "+15555550104"]).status == 429)
    let elsewhere = try stage.send(
      "POST", path: "/forgot", body: ["phone": "+15555550104"], from: "10.0.0.9")
    #expect(elsewhere.status == 202)
    stage.clock.advance(by: .seconds(3_600))
    #expect(try stage.send("POST", path: "/forgot", body: ["phone": "+15555550100"]).status == 202)
  }

  @Test func `lets a token die with its time, to the millisecond`() throws {
    let stage = try Stage()
    _ = try stage.send("POST", path: "/forgot", body: ["phone": "+15555550100"])
    stage.clock.advance(by: .milliseconds(599_999))
    #expect(try stage.send("GET", path: "/tokens/\(stage.code)").outcome == .valid)
    stage.clock.advance(by: .milliseconds(1))
    #expect(try stage.send("GET", path: "/tokens/\(stage.code)").outcome == .expiredToken)
  }

  @Test func `keeps older tokens alive when told to`() throws {
    let stage = try Stage([Edit("/token/replacesOlder", value: false)])
    _ = try stage.send("POST", path: "/forgot", body: ["phone": "+15555550100"])
    let older = stage.code
    stage.clock.advance(by: .seconds(30))
    _ = try stage.send("POST", path: "/forgot", body: ["phone": "+15555550100"])
    let newer = stage.code
    #expect(try stage.send("GET", path: "/tokens/\(older)").outcome == .valid)
    let body: JSON = ["code": .string(older), "password": "n3w-pass", "again": "n3w-pass"]
    #expect(try stage.send("PUT", path: "/password", body: body).outcome == .reset)
    #expect(try stage.send("GET", path: "/tokens/\(newer)").outcome == .unknownToken)
    #expect(stage.backEnd.settled.map(\.end) == [.replaced, .used])
  }

  @Test func `tells an unknown address where it hides none, and a disabled account is unknown`()
    throws
  {
    let stage = try Stage()
    for email in ["nobody@example.com", "off@example.com"] {
      let answer = try stage.send(
        "POST", path: "/forgot-mail", body: ["user": ["email": .string(email)]])
      #expect(answer.outcome == .unknownAccount)
      #expect(answer.body?["text"]?.string == "\(email) is unknown")
    }
    #expect(stage.backEnd.messages.isEmpty)
  }

  @Test func `writes links for the client and the language, and HTML that holds no HTML`() throws {
    let stage = try Stage()
    let answer = try stage.send(
      "POST", path: "/forgot-mail", body: ["user": ["email": "Ana@example.com"]],
      headers: ["X-Platform": "web", "Accept-Language": "fr, de-AT;q=0.8"])
    #expect(answer.status == 204)
    #expect(answer.body == nil)
    let mail = try #require(stage.backEnd.messages.last)
    let link = "https://example.com/de/reset?code=\(stage.code)&email=ana%40example.com"
    #expect(mail.link == link)
    #expect(mail.text == link)
    #expect(mail.language == "de")
    #expect(mail.html.contains("href=\"\(link.replacing("&", with: "&amp;"))\""))
    #expect(mail.html.contains("&lt;Ana&gt;"))
    stage.clock.advance(by: .seconds(60))
    _ = try stage.send("POST", path: "/forgot-mail", body: ["user": ["email": "ana@example.com"]])
    #expect(stage.backEnd.messages.last?.link == "sample://reset/\(stage.code)")
  }

  @Test func `puts no line break into a subject`() throws {
    let stage = try Stage([Edit("/messages/mail/subject", value: "For {displayName}")])
    _ = try stage.send("POST", path: "/forgot-mail", body: ["user": ["email": "ana@example.com"]])
    #expect(stage.backEnd.messages.last?.subject == "For <Ana>  B: c")
  }

  @Test(arguments: [
    ("de", "Zu kurz."), ("de-CH, en", "Zu kurz."), ("en;q=0.1, de;q=0.9", "Zu kurz."),
    ("fr", "Too short."), ("", "Too short."), ("de;q=0, en", "Too short."),
    // Spoken, but without a sentence of its own.
    ("pt", "Too short."),
  ])
  func `answers in the language of the client`(wish: String, sentence: String) throws {
    let stage = try Stage()
    _ = try stage.send("POST", path: "/forgot", body: ["phone": "+15555550100"])
    let body: JSON = ["code": .string(stage.code), "password": "1!", "again": "1!"]
    let answer = try stage.send(
      "PUT", path: "/password", body: body, headers: ["Accept-Language": wish])
    #expect(answer.outcome == .weakPassword)
    #expect(answer.body?["text"]?.string == sentence)
  }

  @Test(arguments: [
    ("a-1", "Too short."), ("abcdefgh", "Password must contain a digit."),
    ("abcdefg1", "Password must contain a symbol."),
    ("abcdefghijklmnopqrs-1", "Password must be at most 20 characters long."),
  ])
  func `tells the rule that a password breaks`(password: String, sentence: String) throws {
    let stage = try Stage()
    _ = try stage.send("POST", path: "/forgot", body: ["phone": "+15555550100"])
    let body: JSON = [
      "code": .string(stage.code), "password": .string(password), "again": .string(password),
    ]
    #expect(try stage.send("PUT", path: "/password", body: body).body?["text"]?.string == sentence)
  }

  @Test func `wants the confirmation to be the same`() throws {
    let stage = try Stage()
    _ = try stage.send("POST", path: "/forgot", body: ["phone": "+15555550100"])
    for again: JSON in ["n3w-pasS", .null] {
      let body: JSON = ["code": .string(stage.code), "password": "n3w-pass", "again": again]
      let answer = try stage.send("PUT", path: "/password", body: body)
      #expect(answer.outcome == .passwordMismatch)
      #expect(answer.body?["text"]?.string == "Passwords do not match.")
    }
  }

  @Test func `keeps the sessions when told to`() throws {
    let stage = try Stage()
    let signIn: JSON = ["email": "ana@example.com", "password": "old-password"]
    let session = try #require(
      try stage.send("POST", path: "/login", body: signIn).body?["session"]?.string)
    let asPhone = ["User-Agent": "Phone/3"]
    let body: JSON = ["email": "ana@example.com"]
    #expect(try stage.send("POST", path: "/replace", body: body, headers: asPhone).body == [])
    #expect(stage.backEnd.signsIn("ana@example.com", password: stage.code))
    #expect(stage.code.count == 16)
    #expect(
      try stage.send("GET", path: "/users/me", headers: ["X-Session": session]).body?["id"] == "ana"
    )
    // Other clients do not see this endpoint at all.
    #expect(try stage.send("POST", path: "/replace", body: body).outcome == .notFound)
  }

  @Test func `ends sessions by log-out, refresh, deletion and an administrator`() throws {
    let stage = try Stage()
    func signIn() throws -> (session: [String: String], refresh: JSON) {
      let body: JSON = ["phone": "+15555550100", "password": "old-password"]
      let reply = try stage.send("POST", path: "/login", body: body).body
      return (
        ["X-Session": reply?["session"]?.string ?? ""], ["token": reply?["refresh"] ?? .null]
      )
    }
    let first = try signIn()
    #expect(try stage.send("DELETE", path: "/session", headers: first.session).status == 204)
    #expect(try stage.send("DELETE", path: "/session", headers: first.session).status == 401)
    #expect(try stage.send("POST", path: "/refresh", body: first.refresh).outcome == .unauthorized)

    let second = try signIn()
    #expect(try stage.send("POST", path: "/refresh", body: second.refresh).outcome == .refreshed)
    #expect(try stage.send("POST", path: "/refresh", body: second.refresh).outcome == .unauthorized)
    try Sessions(stage.engine.definition, backEnd: stage.backEnd).end(of: "ana")
    #expect(try stage.send("GET", path: "/users/me", headers: second.session).status == 401)

    let third = try signIn()
    // To go on with a session is not a sign-in.
    #expect(stage.backEnd.signedIn == ["ana", "ana", "ana"])
    #expect(try stage.send("GET", path: "/users/me", headers: third.session).status == 200)
    stage.backEnd.remove("ana")
    let refused = try stage.send("GET", path: "/users/me", headers: third.session)
    #expect(refused.headers.first?.value == "Session realm=Sample")
    #expect(refused.status == 401)
  }

  @Test func `signs a disabled account in to no one who lacks its password`() throws {
    let stage = try Stage()
    let right: JSON = ["email": "off@example.com", "password": "old-password"]
    let wrong: JSON = ["email": "off@example.com", "password": "guess"]
    #expect(try stage.send("POST", path: "/login", body: right).outcome == .disabledAccount)
    #expect(try stage.send("POST", path: "/login", body: wrong).outcome == .wrongCredentials)
    #expect(stage.backEnd.signedIn.isEmpty)
  }

  @Test func `reads forms as well as JSON`() throws {
    let stage = try Stage()
    let request = DialectRequest(
      method: "POST", path: "/auth/forgot-mail",
      headers: [(name: "content-type", value: "application/x-www-form-urlencoded; charset=utf-8")],
      body: Array("user.email=ana%40example.com".utf8))
    let call = try #require(stage.engine.call(request))
    #expect(call.operation == "dialect.sample.requestReset")
    #expect(call.email == "ana@example.com")
    let answer = try stage.engine.answer(call, in: stage.backEnd, now: stage.clock.now)
    #expect(answer.outcome == .accepted)
  }

  @Test func `reads JSON that is called a form`() throws {
    let stage = try Stage()
    let answer = try stage.send(
      "POST", path: "/forgot", body: ["phone": "+15555550100"],
      headers: ["Content-Type": "application/x-www-form-urlencoded"])
    #expect(answer.outcome == .accepted)
  }

  @Test(arguments: ["[]", "1", "{", "\u{0}", "\"email\""])
  func `refuses a body that is no object`(body: String) throws {
    let stage = try Stage()
    let request = DialectRequest(
      method: "POST", path: "/auth/forgot", body: Array(body.utf8))
    let call = try #require(stage.engine.call(request))
    let answer = try stage.engine.answer(call, in: stage.backEnd, now: stage.clock.now)
    #expect(answer.outcome == .malformedBody)
    #expect(answer.body == ["ok": false, "text": "Bad request"])
  }

  @Test(arguments: [
    "plain", "a@b", "a@@b.c", "@b.c", "a@.c", "a b@c.d", "a@b..c", "a\n@b.c", ".a@b.c", "a@-b.c",
    "\"a\"@b.c", "a@b.c,d@e.f", String(repeating: "a", count: 65) + "@b.c",
  ])
  func `takes no malformed address`(email: String) throws {
    let stage = try Stage()
    let answer = try stage.send(
      "POST", path: "/forgot-mail", body: ["user": ["email": .string(email)]])
    #expect(answer.outcome == .malformedEmail)
  }

  @Test(arguments: ["5555550100", "+0155", "+1555x550100", "+12345678901234567", "+"])
  func `takes no malformed number`(phone: String) throws {
    let stage = try Stage()
    let answer = try stage.send("POST", path: "/forgot", body: ["phone": .string(phone)])
    #expect(answer.outcome == .malformedPhone)
  }

  @Test func `takes a code that was sent as a number`() throws {
    let stage = try Stage()
    _ = try stage.send("POST", path: "/forgot", body: ["phone": "+15555550100"])
    // A leading zero does not survive being a number.
    guard let number = Int64(stage.code), number > 99_999 else { return }
    let body: JSON = ["code": .int(number), "password": "n3w-pass", "again": "n3w-pass"]
    #expect(try stage.send("PUT", path: "/password", body: body).outcome == .reset)
  }

  @Test func `names the field that is missing as the client knows it`() throws {
    let answer = try Stage().send("POST", path: "/forgot-mail", body: ["email": "ana@example.com"])
    #expect(answer.status == 422)
    #expect(answer.body?["text"] == "user.email")
  }

  @Test func `tells which methods a path has`() throws {
    let answer = try Stage().send("PATCH", path: "/session")
    #expect(answer.outcome == .methodNotAllowed)
    #expect(answer.headers.map(\.value) == ["DELETE"])
  }
}
