import Foundation
import HearthCrypto
import HearthSAML
import HearthTestSupport
import HearthTime
import HearthTokens
import HearthWire
import Testing

/// One answer of a provider, and what its service expects.
private struct Exchange {
  static let now = Timestamp(seconds: 1_800_000_000)
  static let keys = Result { try [SigningKey.generate(now: now), .generate(now: now)] }

  let answer: String
  var expectation: SAMLAssertion.Expectation

  init(_ signing: SAMLAnswer.Signing = .both, key: Int = 0) throws {
    let key = try Self.keys.get()[key]
    var answer = SAMLAnswer(
      id: "_response", issuer: "https://idp.example", requestId: "_request",
      destination: "https://app.example/acs", audience: "service", now: Self.now)
    answer.signing = signing
    answer.statement = SAMLAnswer.Statement(
      id: "_assertion", name: "ada@example.com", format: SAMLNameFormat.emailAddress.rawValue,
      attributes: [("department", ["otters"]), ("groups", ["a", "b"]), ("odd", ["<&>\"'\r\n é"])],
      sessionIndex: "_session", authTime: Self.now)
    self.answer = try answer.text(by: key)
    expectation = try Self.expectation()
  }

  static func expectation(
    key: Int = 0, issuer: String = "https://idp.example", audience: String = "service",
    consumers: [String] = ["https://app.example/acs"], requestId: String? = "_request",
    later: Int64 = 0
  ) throws -> SAMLAssertion.Expectation {
    let public_ = try #require(PublicKey(certificate: keys.get()[key].certificatePEM))
    return SAMLAssertion.Expectation(
      keys: [public_], issuer: issuer, audience: audience, consumers: consumers,
      requestId: requestId, now: Timestamp(seconds: now.seconds + later))
  }

  func read(
    _ change: (String) -> String = { $0 }, _ expectation: SAMLAssertion.Expectation? = nil
  ) throws -> SAMLAssertion {
    try SAMLAssertion(
      encoded: Base64.encode(Array(change(answer).utf8)), expectation ?? self.expectation)
  }

  func refusal(
    _ change: (String) -> String = { $0 }, _ expectation: SAMLAssertion.Expectation? = nil
  ) -> String? {
    do {
      _ = try read(change, expectation)
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// The whole element of a name in the answer.
  func element(_ name: String) throws -> String {
    let start = try #require(answer.range(of: "<\(name) "))
    let end = try #require(answer.range(of: "</\(name)>"))
    return String(answer[start.lowerBound..<end.upperBound])
  }
}

@Suite struct `Responses of SAML` {
  private static let failed = "Failed to verify the signature in SAMLResponse"
  private static let missing =
    "Missing signature in Assertion and Response enclosing it (if present)."

  @Test(arguments: [SAMLAnswer.Signing.both, .response, .assertion])
  func `are taken where either part is signed`(signing: SAMLAnswer.Signing) throws {
    let assertion = try Exchange(signing).read()
    #expect(assertion.name == "ada@example.com")
    #expect(assertion.attributes["department"] == "otters")
    #expect(assertion.attributes["groups"] == .strings(["a", "b"]))
    #expect(assertion.attributes["odd"] == "<&>\"'\r\n é")
  }

  @Test func `are refused without a signature, and with a foreign one`() throws {
    #expect(try Exchange(.nothing).refusal() == Self.missing)
    #expect(try Exchange(key: 1).refusal() == Self.failed)
  }

  @Test(arguments: [
    ("ada@example.com", "eve@example.com"), ("otters", "admins"), ("_request", "_other"),
    ("<saml2:AttributeValue>a<", "<saml2:AttributeValue>root<"), ("service", "others"),
    ("rsa-sha256", "rsa-sha1"), ("xml-exc-c14n#", "xml-c14n11"),
    ("#enveloped-signature", "#base64"), ("ID=\"_assertion\"", "ID=\"_other\""),
    ("ID=\"_response\"", "ID=\"_other\""), ("URI=\"#_response\"", "URI=\"\""),
    ("URI=\"#_assertion\"", "URI=\"#_response\""), ("ID=\"_assertion\"", "Id=\"_assertion\""),
    ("xmlenc#sha256", "xmldsig#sha1"),
  ])
  func `are refused after a change`(from: String, to: String) throws {
    for signing in [SAMLAnswer.Signing.both, .response, .assertion] {
      let exchange = try Exchange(signing)
      let changed = exchange.answer.replacing(from, with: to)
      // Nobody has signed the envelope of a signed assertion.
      let isHarmless = signing == .assertion && from.contains("_response")
      guard changed != exchange.answer, !isHarmless else { continue }
      let refusal = try #require(exchange.refusal { $0.replacing(from, with: to) })
      #expect(refusal == Self.failed, "\(from) \(signing)")
    }
  }

  @Test func `may be written in other ways that mean the same`() throws {
    let exchange = try Exchange()
    _ = try exchange.read { $0.replacing("\" ID=", with: "\"\n   ID=") }
    _ = try exchange.read { $0.replacing("saml2:Issuer", with: "saml2:Issuer ") }
    _ = try exchange.read {
      $0.replacing("ada@example.com", with: "ada<!-- x -->@example.c&#111;m")
    }
    _ = try exchange.read { "<?xml version='1.0'?>\n" + $0 + "\n" }
    _ = try exchange.read {
      $0.replacing("<saml2p:Response ", with: "<saml2p:Response xmlns:u='urn:u' ")
    }
  }

  /// A comment does not cut a name in two.
  @Test func `are not shortened by a comment`() throws {
    let exchange = try Exchange()
    #expect(exchange.refusal { $0.replacing(">ada@", with: ">eve<!-- -->ada@") } == Self.failed)
  }

  // MARK: Wrapping

  /// Where an attacker puts the part that was signed, and where the forged one.
  @Test(arguments: [SAMLAnswer.Signing.both, .assertion])
  func `with a signed assertion beside a forged one are refused`(
    signing: SAMLAnswer.Signing
  ) throws {
    let exchange = try Exchange(signing)
    let signed = try exchange.element("saml2:Assertion")
    for (name, change) in Self.attempts(signed) {
      #expect(exchange.answer != change(exchange.answer), "\(name)")
      let refusal = exchange.refusal(change)
      #expect(refusal != nil, "\(name)")
    }
  }

  private static func attempts(_ signed: String) -> [(String, (String) -> String)] {
    let forged =
      signed.replacing("ada@example.com", with: "eve@example.com")
      .replacing("_assertion", with: "_forged")
    let unsignedForged = withoutSignature(forged)
    return [
      ("before", { $0.replacing(signed, with: forged + signed) }),
      ("after", { $0.replacing(signed, with: signed + forged) }),
      ("before, unsigned", { $0.replacing(signed, with: unsignedForged + signed) }),
      (
        "same id",
        {
          $0.replacing(
            signed, with: unsignedForged.replacing("_forged", with: "_assertion") + signed)
        }
      ),
      (
        "within the forged one",
        {
          $0.replacing(
            signed,
            with: unsignedForged.replacing(
              "</saml2:Assertion>", with: signed + "</saml2:Assertion>"))
        }
      ),
      (
        "in an object of the signature",
        {
          $0.replacing(
            signed,
            with: forged.replacing(
              "</ds:Signature>", with: "<ds:Object>\(signed)</ds:Object></ds:Signature>"))
        }
      ),
      (
        "in extensions",
        {
          $0.replacing(
            "<saml2p:Status>",
            with: "<saml2p:Extensions>\(signed)</saml2p:Extensions><saml2p:Status>"
          ).replacing("</saml2p:Status>" + signed, with: "</saml2p:Status>" + unsignedForged)
        }
      ),
      (
        "with the signature moved out",
        {
          $0.replacing(signed, with: unsignedForged + signature(of: signed))
        }
      ),
      (
        "in another namespace",
        {
          $0.replacing(
            signed,
            with: unsignedForged
              + signed.replacing("xmlns:saml2=\"urn:oasis", with: "xmlns:saml2=\"urn:other"))
        }
      ),
    ]
  }

  @Test func `with a signed response within a forged one are refused`() throws {
    let exchange = try Exchange(.response)
    let forged = Self.withoutSignature(exchange.answer)
      .replacing("ada@example.com", with: "eve@example.com")
      .replacing("_response", with: "_forged").replacing("_assertion", with: "_other")
    for place in ["</saml2p:Status>", "</saml2:Assertion>", "</saml2p:Response>"] {
      let refusal = exchange.refusal { _ in
        forged.replacing(place, with: exchange.answer + place)
      }
      #expect(refusal != nil, "\(place)")
    }
  }

  private static func signature(of text: String) -> String {
    guard let start = text.range(of: "<ds:Signature "), let end = text.range(of: "</ds:Signature>")
    else { return "" }
    return String(text[start.lowerBound..<end.upperBound])
  }

  private static func withoutSignature(_ text: String) -> String {
    text.replacing(signature(of: text), with: "")
  }

  // MARK: Conditions

  @Test func `are held against the request and the configuration`() throws {
    let exchange = try Exchange()
    func refusal(_ expectation: SAMLAssertion.Expectation) -> String? {
      exchange.refusal({ $0 }, expectation)
    }
    #expect(
      try refusal(Exchange.expectation(issuer: "https://other.example"))
        == "Assertion has Issuer https://idp.example which is different from expected Issuer "
        + "https://other.example.")
    #expect(
      try refusal(Exchange.expectation(audience: "me"))
        == "All <AudienceRestriction>s should contain the SAML RP entity ID: 'me'.")
    #expect(
      try refusal(Exchange.expectation(consumers: ["https://app.example/other"]))
        == "SAMLResponse destination https://app.example/acs does not match RP callback URL "
        + "https://app.example/other.")
    for id in [nil, "_other"] {
      #expect(
        try refusal(Exchange.expectation(requestId: id))
          == "InResponseTo in both Response and SubjectConfirmationData must match the request ID.")
    }
    #expect(
      try #require(refusal(Exchange.expectation(later: 300)))
        .hasPrefix("Current instant, 2027-01-15T08:05:00.000Z, is on or after NotOnOrAfter"))
    #expect(
      try #require(refusal(Exchange.expectation(later: -61)))
        .hasPrefix("Current instant, 2027-01-15T07:58:59.000Z, is before NotBefore attribute"))
    #expect(try refusal(Exchange.expectation(later: 299)) == nil)
  }

  @Test(arguments: 0..<10)
  func `of any kind are taken or refused`(seed: UInt64) throws {
    let exchange = try Exchange()
    var random = SplitMix(seed: seed)
    for _ in 0..<40 {
      var bytes = Array(exchange.answer.utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 32...126, using: &random)
        case 1: bytes.remove(at: place)
        default: bytes.insert(UInt8.random(in: 32...126, using: &random), at: place)
        }
      }
      guard
        let taken = try? SAMLAssertion(encoded: Base64.encode(bytes), exchange.expectation)
      else { continue }
      // A change that is taken has changed nothing.
      #expect(taken.name == "ada@example.com")
      #expect(taken == (try exchange.read()))
    }
  }
}

@Suite struct `Requests of SAML` {
  @Test func `are written as production writes them, and read`() throws {
    let request = SAMLRequest(
      id: "_1f", issuer: "https://app.example/saml", destination: "https://idp.example/sso",
      consumer: "https://app.example/__/auth/handler")
    let text = request.text(at: Timestamp(seconds: 1_800_000_000))
    #expect(
      text == """
        <?xml version="1.0" encoding="UTF-8"?><saml2p:AuthnRequest \
        xmlns:saml2p="urn:oasis:names:tc:SAML:2.0:protocol" \
        AssertionConsumerServiceURL="https://app.example/__/auth/handler" \
        Destination="https://idp.example/sso" ID="_1f" \
        IssueInstant="2027-01-15T08:00:00.000Z" \
        ProtocolBinding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Version="2.0">\
        <saml2:Issuer xmlns:saml2="urn:oasis:names:tc:SAML:2.0:assertion">\
        https://app.example/saml</saml2:Issuer></saml2p:AuthnRequest>
        """)
    #expect(try SAMLRequest(encoded: Base64.encode(Array(text.utf8))) == request)
    let address = request.address(
      at: "https://idp.example/sso?a=b", relayState: "r s", now: Timestamp(seconds: 0))
    let query = FormFields(parsing: try #require(address.split(separator: "?").last))
    #expect(query["a"] == "b" && query["RelayState"] == "r s")
    #expect(try SAMLRequest(encoded: query["SAMLRequest"] ?? "") == request)
  }

  @Test(arguments: [
    "", "%", "AAAA", Base64.encode(Array("<a/>".utf8)),
  ])
  func `that are none are refused`(text: String) {
    #expect(throws: SAMLRefusal.self) { try SAMLRequest(encoded: text) }
  }

  /// Nothing is wrong with it but the spaces after it.
  @Test func `that are too long when they are unpacked are refused`() throws {
    let request = SAMLRequest(
      id: "_1f", issuer: "service", destination: "https://idp.example/sso",
      consumer: "https://app.example/acs")
    let text = request.text(at: Timestamp(seconds: 1_800_000_000))
    func packed(spaces: Int) -> String {
      let spaces = String(repeating: " ", count: spaces)
      return Base64.encode(Deflate.bare(Array((text + spaces).utf8)))
    }
    #expect(try SAMLRequest(encoded: packed(spaces: 1000)) == request)
    #expect(throws: SAMLRefusal.self) { try SAMLRequest(encoded: packed(spaces: 2_000_000)) }
  }

  @Test func `have no characters that XML has not`() throws {
    let request = SAMLRequest(
      id: "_1f", issuer: "a\u{1}b", destination: "https://idp.example/\u{0}",
      consumer: "https://app.example/acs")
    let text = request.text(at: Timestamp(seconds: 1_800_000_000))
    let read = try SAMLRequest(encoded: Base64.encode(Array(text.utf8)))
    #expect(read.issuer == "a\u{FFFD}b" && read.destination == "https://idp.example/\u{FFFD}")
  }
}
