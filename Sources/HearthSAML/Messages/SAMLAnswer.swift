package import HearthTime
package import HearthTokens
import HearthWire

/// What an identity provider answers to a service: a `Response`.
package struct SAMLAnswer: Sendable {
  /// Which elements are signed.
  package enum Signing: String, Sendable, CaseIterable {
    case both, response, assertion, nothing
  }

  /// What the provider says of somebody.
  package struct Statement: Sendable {
    package let id: String
    package let name: String
    /// The form of the name.
    package let format: String
    package let attributes: [(name: String, values: [String])]
    package let sessionIndex: String
    package let authTime: Timestamp

    package init(
      id: String, name: String, format: String, attributes: [(name: String, values: [String])],
      sessionIndex: String, authTime: Timestamp
    ) {
      self.id = id
      self.name = name
      self.format = format
      self.attributes = attributes
      self.sessionIndex = sessionIndex
      self.authTime = authTime
    }
  }

  package let id: String
  package let issuer: String
  package let requestId: String
  package let destination: String
  package let audience: String
  package let now: Timestamp
  /// `Success`, `Requester` or `Responder`, and a second code with more detail.
  package var status: (first: String, second: String?) = ("Success", nil)
  /// Nil where the provider says nothing of anybody.
  package var statement: Statement?
  package var signing = Signing.both

  /// Seconds for which an answer counts.
  private static let lifetime: Int64 = 300

  package init(
    id: String, issuer: String, requestId: String, destination: String, audience: String,
    now: Timestamp
  ) {
    self.id = id
    self.issuer = issuer
    self.requestId = requestId
    self.destination = destination
    self.audience = audience
    self.now = now
  }

  /// The answer as text. The assertion is signed first, so that the envelope is over its signature.
  package func text(by key: SigningKey) throws -> String {
    var assertion = statement.map(assertion)
    if let plain = assertion, [.both, .assertion].contains(signing) {
      assertion = try XMLSignature.signed(plain, by: key)
    }
    let response = XMLElement(
      .protocols, "Response",
      [
        "Destination": destination, "ID": id, "InResponseTo": requestId,
        "IssueInstant": now.iso8601, "Version": "2.0",
      ],
      [XMLElement(.assertion, "Issuer", text: issuer), statusElement]
        + [assertion].compactMap(\.self)
    )
    let isSigned =
      [.both, .response].contains(signing) || signing == .assertion && assertion == nil
    return CanonicalXML.text(
      of: isSigned ? try XMLSignature.signed(response, by: key) : response)
  }

  private var statusElement: XMLElement {
    let prefix = "urn:oasis:names:tc:SAML:2.0:status:"
    let second = status.second.map {
      [XMLElement(.protocols, "StatusCode", ["Value": prefix + $0])]
    }
    return XMLElement(
      .protocols, "Status", [:],
      [XMLElement(.protocols, "StatusCode", ["Value": prefix + status.first], second ?? [])])
  }

  private func assertion(_ statement: Statement) -> XMLElement {
    let end = Timestamp(milliseconds: now.milliseconds + Self.lifetime * 1000).iso8601
    // A little back, for services whose clock is slow.
    let start = Timestamp(milliseconds: now.milliseconds - 60_000).iso8601
    let confirmation = XMLElement(
      .assertion, "SubjectConfirmation", ["Method": SAML.bearer],
      [
        XMLElement(
          .assertion, "SubjectConfirmationData",
          ["InResponseTo": requestId, "NotOnOrAfter": end, "Recipient": destination])
      ])
    var parts = [
      XMLElement(.assertion, "Issuer", text: issuer),
      XMLElement(
        .assertion, "Subject", [:],
        [
          XMLElement(.assertion, "NameID", ["Format": statement.format], text: statement.name),
          confirmation,
        ]),
      XMLElement(
        .assertion, "Conditions", ["NotBefore": start, "NotOnOrAfter": end],
        [
          XMLElement(
            .assertion, "AudienceRestriction", [:],
            [XMLElement(.assertion, "Audience", text: audience)])
        ]),
      XMLElement(
        .assertion, "AuthnStatement",
        [
          "AuthnInstant": statement.authTime.iso8601, "SessionIndex": statement.sessionIndex,
        ],
        [
          XMLElement(
            .assertion, "AuthnContext", [:],
            [
              XMLElement(
                .assertion, "AuthnContextClassRef",
                text: "urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport")
            ])
        ]),
    ]
    if !statement.attributes.isEmpty {
      parts.append(
        XMLElement(.assertion, "AttributeStatement", [:], statement.attributes.map(Self.attribute)))
    }
    return XMLElement(
      .assertion, "Assertion",
      ["ID": statement.id, "IssueInstant": now.iso8601, "Version": "2.0"], parts)
  }

  private static func attribute(_ name: String, _ values: [String]) -> XMLElement {
    XMLElement(
      .assertion, "Attribute",
      ["Name": name, "NameFormat": "urn:oasis:names:tc:SAML:2.0:attrname-format:basic"],
      values.map { XMLElement(.assertion, "AttributeValue", text: $0) })
  }
}

/// The document with which a provider introduces itself to services.
package enum SAMLMetadata {
  package static func text(
    entityId: String, singleSignOn: String, keys: [SigningKey]
  ) -> String {
    let services = [SAML.redirectBinding, SAML.postBinding].map {
      XMLElement(.metadata, "SingleSignOnService", ["Binding": $0, "Location": singleSignOn])
    }
    let descriptor = XMLElement(
      .metadata, "IDPSSODescriptor",
      [
        "WantAuthnRequestsSigned": "false",
        "protocolSupportEnumeration": SAMLNamespace.protocols.rawValue,
      ],
      keys.map {
        XMLElement(.metadata, "KeyDescriptor", ["use": "signing"], [XMLSignature.keyInfo($0)])
      }
        + SAMLNameFormat.allCases.map {
          XMLElement(.metadata, "NameIDFormat", text: $0.rawValue)
        } + services)
    let root = XMLElement(
      .metadata, "EntityDescriptor", ["entityID": entityId], [descriptor])
    return #"<?xml version="1.0" encoding="UTF-8"?>"# + CanonicalXML.text(of: root)
  }
}

/// How a person is named.
package enum SAMLNameFormat: String, Sendable, CaseIterable {
  case emailAddress = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress"
  case persistent = "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"
  case transient = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient"
}
