package import HearthTime
package import HearthTokens
package import HearthWire

/// What an identity provider has said of somebody, after all of it was checked.
package struct SAMLAssertion: Sendable, Equatable {
  package let id: String
  package let name: String
  /// One value is a string, several are a list.
  package let attributes: JSONObject

  /// What a service knows of the provider, and of its own request.
  package struct Expectation: Sendable {
    package let keys: [PublicKey]
    /// The entity id of the provider.
    package let issuer: String
    /// The entity id of the service.
    package let audience: String
    /// Where the answer may have been sent to. Refusals name the first one.
    package let consumers: [String]
    /// Nil where no request is known to which this could be the answer.
    package let requestId: String?
    package let now: Timestamp

    package init(
      keys: [PublicKey], issuer: String, audience: String, consumers: [String],
      requestId: String?, now: Timestamp
    ) {
      self.keys = keys
      self.issuer = issuer
      self.audience = audience
      self.consumers = consumers
      self.requestId = requestId
      self.now = now
    }
  }

  /// Whether a text is XML in Base64, and not the JSON that emulators take for it: `<`, or the mark
  /// of UTF-8, comes first.
  package static func isEncoded(_ text: String) -> Bool {
    let text = text.drop(while: \.isWhitespace)
    return text.hasPrefix("P") || text.hasPrefix("77u/")
  }

  /// Reads a response as forms hold it, and checks it.
  ///
  /// - Throws: ``SAMLRefusal`` in the words of production, as far as they are known.
  package init(encoded text: String, _ expected: Expectation) throws(SAMLRefusal) {
    guard let document = SAML.decoded(text) else {
      throw SAMLRefusal("Unable to parse the SAMLResponse: it is not Base64.")
    }
    let root = try SAML.root(of: document, "SAMLResponse")
    guard root.isNamed(.protocols, "Response"), root["Version"] == "2.0" else {
      throw SAMLRefusal("SAMLResponse is not a Response of SAML 2.0.")
    }
    try Self.checkStatus(root)
    let assertion = try Self.verified(in: root, expected.keys)
    try Self.check(root, expected)
    try self.init(assertion, response: root, expected)
  }

  // MARK: The envelope

  private static func checkStatus(_ response: XMLElement) throws(SAMLRefusal) {
    let status = response.first(.protocols, "Status")?.first(.protocols, "StatusCode")?["Value"]
    guard status == SAML.success else {
      throw SAMLRefusal("SAMLResponse status code not SUCCESS, instead it is: \(status ?? "")")
    }
  }

  /// The one assertion of a response. Wherever a second one hides, in a signature or in itself, the
  /// response is refused: who reads the wrong one takes what nobody has signed.
  private static func verified(
    in response: XMLElement, _ keys: [PublicKey]
  ) throws(SAMLRefusal) -> XMLElement {
    let everything = response.all
    guard !everything.contains(where: { $0.isNamed(.assertion, "EncryptedAssertion") }) else {
      throw SAMLRefusal("Encrypted assertions are not supported.")
    }
    let known = response.elements(.assertion, "Assertion")
    let (assertions, responses) = (
      everything.filter { $0.name.local == "Assertion" },
      everything.filter { $0.name.local == "Response" }
    )
    guard known.count == 1, assertions.count == 1, responses.count == 1, let assertion = known.first
    else { throw SAMLRefusal("SAMLResponse should have exactly one Assertion.") }
    let verdicts = [response, assertion].map {
      XMLSignature.verdict(of: $0, in: response, keys: keys)
    }
    let signatures = everything.filter { $0.isNamed(.signature, "Signature") }.count
    let isElsewhere = signatures != verdicts.filter { $0 != .unsigned }.count
    guard !verdicts.contains(.invalid), !isElsewhere else {
      throw SAMLRefusal("Failed to verify the signature in SAMLResponse")
    }
    guard verdicts.contains(.valid) else {
      throw SAMLRefusal(
        "Missing signature in Assertion and Response enclosing it (if present).")
    }
    return assertion
  }

  private static func check(
    _ response: XMLElement, _ expected: Expectation
  ) throws(SAMLRefusal) {
    guard let destination = response["Destination"] else { return }
    guard expected.consumers.contains(destination) else {
      throw SAMLRefusal(
        "SAMLResponse destination \(destination) does not match RP callback URL "
          + "\(expected.consumers.first ?? "").")
    }
  }

  // MARK: The assertion

  private init(
    _ assertion: XMLElement, response: XMLElement, _ expected: Expectation
  ) throws(SAMLRefusal) {
    let issuer = assertion.first(.assertion, "Issuer")?.text ?? ""
    guard issuer == expected.issuer else {
      throw SAMLRefusal(
        "Assertion has Issuer \(issuer) which is different from expected Issuer "
          + "\(expected.issuer).")
    }
    let subject = assertion.first(.assertion, "Subject")
    let confirmation = subject?.elements(.assertion, "SubjectConfirmation").first {
      $0["Method"] == SAML.bearer
    }
    let data = confirmation?.first(.assertion, "SubjectConfirmationData")
    try Self.check(
      inResponseTo: [response["InResponseTo"], data?["InResponseTo"]], expected.requestId)
    let conditions = assertion.first(.assertion, "Conditions")
    for element in [conditions, data].compactMap(\.self) {
      try Self.checkTimes(of: element, expected.now)
    }
    let audiences = conditions?.elements(.assertion, "AudienceRestriction") ?? []
    let isMeant = audiences.allSatisfy { restriction in
      restriction.elements(.assertion, "Audience").contains { $0.text == expected.audience }
    }
    guard isMeant, !audiences.isEmpty else {
      throw SAMLRefusal(
        "All <AudienceRestriction>s should contain the SAML RP entity ID: "
          + "'\(expected.audience)'.")
    }
    guard let name = subject?.first(.assertion, "NameID")?.text, !name.isEmpty else {
      throw SAMLRefusal("Assertion has no NameID.")
    }
    self.name = name
    id = assertion["ID"] ?? ""
    attributes = Self.attributes(of: assertion)
  }

  private static func check(
    inResponseTo ids: [String?], _ requestId: String?
  ) throws(SAMLRefusal) {
    guard ids.allSatisfy({ !($0 ?? "").isEmpty }) else {
      throw SAMLRefusal(
        "InResponseTo attribute must be present in both Response and SubjectConfirmationData.")
    }
    guard let requestId, ids.allSatisfy({ $0 == requestId }) else {
      throw SAMLRefusal(
        "InResponseTo in both Response and SubjectConfirmationData must match the request ID.")
    }
  }

  private static func checkTimes(
    of element: XMLElement, _ now: Timestamp
  ) throws(SAMLRefusal) {
    if let text = element["NotBefore"] {
      guard let start = Timestamp(iso8601: text), now >= start else {
        throw SAMLRefusal(
          "Current instant, \(now.iso8601), is before NotBefore attribute, \(text)")
      }
    }
    if let text = element["NotOnOrAfter"] {
      guard let end = Timestamp(iso8601: text), now < end else {
        throw SAMLRefusal(
          "Current instant, \(now.iso8601), is on or after NotOnOrAfter attribute, \(text)")
      }
    }
  }

  private static func attributes(of assertion: XMLElement) -> JSONObject {
    var found = JSONObject()
    for statement in assertion.elements(.assertion, "AttributeStatement") {
      for attribute in statement.elements(.assertion, "Attribute") {
        guard let name = attribute["Name"] else { continue }
        let values = attribute.elements(.assertion, "AttributeValue").map(\.text)
        found[name] = values.count == 1 ? .string(values[0]) : .strings(values)
      }
    }
    return found
  }
}
