package import HearthCrypto
package import HearthTime
import HearthWire

/// What a service asks an identity provider: an `AuthnRequest`.
package struct SAMLRequest: Sendable, Equatable {
  package let id: String
  /// The entity id of the service.
  package let issuer: String
  /// The address that was asked; nil where the service does not say it.
  package let destination: String?
  /// Where the answer is to go; nil where the service does not say it.
  package let consumer: String?
  /// Whether the person has to prove who they are once more.
  package var isForced = false
  /// Whether the provider may not ask the person anything.
  package var isPassive = false
  /// The form of the name that is wanted; nil for any.
  package var nameFormat: String?

  package init(id: String, issuer: String, destination: String, consumer: String) {
    self.id = id
    self.issuer = issuer
    self.destination = destination
    self.consumer = consumer
  }

  /// A new id. It begins with an underscore, because no name in XML begins with a digit.
  package static func newId(_ random: Randomness) -> String {
    "_" + String(decoding: random.bytes(16).hexDigits, as: UTF8.self)
  }

  // MARK: As text

  /// The request as production writes it.
  package func text(at now: Timestamp) -> String {
    let root = XMLElement(
      .protocols, "AuthnRequest",
      [
        "AssertionConsumerServiceURL": consumer, "Destination": destination, "ID": id,
        "IssueInstant": now.iso8601, "ProtocolBinding": SAML.postBinding, "Version": "2.0",
      ], [XMLElement(.assertion, "Issuer", text: issuer)])
    return #"<?xml version="1.0" encoding="UTF-8"?>"# + CanonicalXML.text(of: root)
  }

  /// The address at which a browser shows the request to the provider: the redirect binding.
  package func address(
    at provider: String, relayState: String, now: Timestamp
  ) -> String {
    let packed = Base64.encode(Deflate.bare(Array(text(at: now).utf8)))
    let query = FormFields([
      .init(name: "SAMLRequest", value: packed), .init(name: "RelayState", value: relayState),
    ])
    return provider + (provider.contains("?") ? "&" : "?") + query.text
  }

  /// Reads a request as forms and queries hold it: in Base64, deflated in the redirect binding.
  ///
  /// - Throws: ``SAMLRefusal`` with what is wrong.
  package init(encoded text: String) throws(SAMLRefusal) {
    guard let bytes = SAML.decoded(text) else {
      throw SAMLRefusal("SAMLRequest is not Base64.")
    }
    let isPlain = bytes.first { !$0.isASCIISpace } == UInt8(ascii: "<")
    guard
      let document = isPlain ? bytes : try? Inflate.deflate(bytes, atMost: XMLReader.longest)
    else { throw SAMLRefusal("SAMLRequest is neither XML nor deflated.") }
    let root = try SAML.root(of: document, "SAMLRequest")
    guard root.isNamed(.protocols, "AuthnRequest"), root["Version"] == "2.0" else {
      throw SAMLRefusal("SAMLRequest is not an AuthnRequest of SAML 2.0.")
    }
    guard let id = root["ID"], !id.isEmpty, id.utf8.count <= 256 else {
      throw SAMLRefusal("The AuthnRequest has no ID.")
    }
    guard let issuer = root.first(.assertion, "Issuer")?.text, !issuer.isEmpty,
      issuer.utf8.count <= 1024
    else { throw SAMLRefusal("The AuthnRequest has no Issuer.") }
    if let binding = root["ProtocolBinding"], binding != SAML.postBinding {
      throw SAMLRefusal("The answer is asked for in another binding than HTTP-POST.")
    }
    self.id = id
    self.issuer = issuer
    destination = root["Destination"]
    consumer = root["AssertionConsumerServiceURL"]
    isForced = ["true", "1"].contains(root["ForceAuthn"])
    isPassive = ["true", "1"].contains(root["IsPassive"])
    nameFormat = root.first(.protocols, "NameIDPolicy")?["Format"]
  }
}

/// Why a message is not taken.
package struct SAMLRefusal: Error, Equatable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

/// Names and texts that several messages have.
package enum SAML {
  package static let postBinding = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"
  static let redirectBinding = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"
  static let success = "urn:oasis:names:tc:SAML:2.0:status:Success"
  static let bearer = "urn:oasis:names:tc:SAML:2.0:cm:bearer"

  /// The bytes of a message in a form. Some senders do not encode plus signs, which arrive as
  /// spaces, and some break lines.
  static func decoded(_ text: String) -> [UInt8]? {
    let plain = text.utf8.filter { $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }
      .map { $0 == UInt8(ascii: " ") ? UInt8(ascii: "+") : $0 }
    guard !plain.isEmpty, plain.count <= XMLReader.longest * 2 else { return nil }
    return Base64.decode(plain[...])
  }

  static func root(
    of document: [UInt8], _ name: String
  ) throws(SAMLRefusal) -> XMLElement {
    do throws(XMLReader.Problem) {
      return try XMLReader.root(of: document)
    } catch {
      throw SAMLRefusal("Unable to parse the \(name): \(error.description).")
    }
  }
}

extension UInt8 {
  fileprivate var isASCIISpace: Bool { [0x20, 0x09, 0x0A, 0x0D].contains(self) }
}
