import HearthCrypto
package import HearthTokens
import HearthWire

/// Enveloped signatures: RSA-SHA256 over exclusive canonical XML.
/// https://www.w3.org/TR/xmldsig-core1/
///
/// A signature counts only for the element that holds it. So nobody can have one element verified
/// and another one used.
package enum XMLSignature {
  private enum Algorithm {
    static let canonical = "http://www.w3.org/2001/10/xml-exc-c14n#"
    static let enveloped = "http://www.w3.org/2000/09/xmldsig#enveloped-signature"
    static let rsaSHA256 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"
    static let digests: [String: Digest] = [
      sha256: .sha256, "http://www.w3.org/2001/04/xmlenc#sha512": .sha512,
    ]
    static let sha256 = "http://www.w3.org/2001/04/xmlenc#sha256"
  }

  // MARK: Signing

  /// The element with its signature after its first child, which is the issuer.
  package static func signed(
    _ element: XMLElement, by key: SigningKey
  ) throws -> XMLElement {
    let digest = Digest.sha256.hash(Array(CanonicalXML.text(of: element).utf8))
    let reference = XMLElement(
      .signature, "Reference", ["URI": "#\(element["ID"] ?? "")"],
      [
        XMLElement(
          .signature, "Transforms", [:],
          [Algorithm.enveloped, Algorithm.canonical].map {
            XMLElement(.signature, "Transform", ["Algorithm": $0])
          }),
        XMLElement(.signature, "DigestMethod", ["Algorithm": Algorithm.sha256]),
        XMLElement(.signature, "DigestValue", text: Base64.encode(digest)),
      ])
    let info = XMLElement(
      .signature, "SignedInfo", [:],
      [
        XMLElement(.signature, "CanonicalizationMethod", ["Algorithm": Algorithm.canonical]),
        XMLElement(.signature, "SignatureMethod", ["Algorithm": Algorithm.rsaSHA256]),
        reference,
      ])
    let value = try key.sign(Array(CanonicalXML.text(of: info).utf8))
    let signature = XMLElement(
      .signature, "Signature", [:],
      [info, XMLElement(.signature, "SignatureValue", text: Base64.encode(value)), keyInfo(key)])
    var signed = element
    signed.children.insert(.element(signature), at: min(1, signed.children.count))
    return signed
  }

  /// A key's certificate, as signatures and metadata tell it.
  package static func keyInfo(_ key: SigningKey) -> XMLElement {
    let lines = key.certificatePEM.split(separator: "\n").filter { !$0.hasPrefix("-") }
    return XMLElement(
      .signature, "KeyInfo", [:],
      [
        XMLElement(
          .signature, "X509Data", [:],
          [XMLElement(.signature, "X509Certificate", text: lines.joined())])
      ])
  }

  // MARK: Verifying

  package enum Verdict: Sendable {
    case unsigned, valid, invalid
  }

  /// Whether an element of a document holds a signature of itself by one of the keys.
  ///
  /// The certificate within the signature is not looked at: it says what its sender likes.
  package static func verdict(
    of element: XMLElement, in document: XMLElement, keys: [PublicKey]
  ) -> Verdict {
    let places = element.children.indices.filter {
      if case .element(let child) = element.children[$0] {
        return child.isNamed(.signature, "Signature")
      }
      return false
    }
    guard let place = places.first else { return .unsigned }
    guard places.count == 1, case .element(let signature) = element.children[place],
      let info = onlyChild("SignedInfo", of: signature),
      let value = bytes(of: onlyChild("SignatureValue", of: signature)),
      signature.elements.allSatisfy({
        ["SignedInfo", "SignatureValue", "KeyInfo"].contains($0.name.local)
      }), isUnique(element["ID"], in: document),
      isDigest(of: element, omitting: place, info),
      let method = onlyChild("CanonicalizationMethod", of: info),
      let prefixes = prefixes(of: method),
      onlyChild("SignatureMethod", of: info)?["Algorithm"] == Algorithm.rsaSHA256
    else { return .invalid }
    let input = Array(CanonicalXML.text(of: info, inclusive: prefixes).utf8)
    return keys.contains { $0.verify(value, of: input) } ? .valid : .invalid
  }

  /// Whether a signature is over the element that holds it.
  private static func isDigest(
    of element: XMLElement, omitting place: Int, _ info: XMLElement
  ) -> Bool {
    guard let reference = onlyChild("Reference", of: info), let id = element["ID"],
      reference["URI"] == "#\(id)",
      let transforms = onlyChild("Transforms", of: reference)?.elements, transforms.count == 2,
      transforms[0]["Algorithm"] == Algorithm.enveloped,
      let prefixes = prefixes(of: transforms[1]),
      let method = onlyChild("DigestMethod", of: reference)?["Algorithm"],
      let digest = Algorithm.digests[method],
      let value = bytes(of: onlyChild("DigestValue", of: reference))
    else { return false }
    let text = CanonicalXML.text(of: element, omitting: place, inclusive: prefixes)
    return ConstantTime.equal(digest.hash(Array(text.utf8)), value)
  }

  /// The prefixes that a canonical form declares in any case; nil for another form.
  private static func prefixes(of method: XMLElement) -> Set<String>? {
    guard method["Algorithm"] == Algorithm.canonical else { return nil }
    guard let list = method.elements.first else { return [] }
    guard method.elements.count == 1, list.name.local == "InclusiveNamespaces",
      list.name.namespace == Algorithm.canonical
    else { return nil }
    let names = (list["PrefixList"] ?? "").split(separator: " ").map(String.init)
    return Set(names.map { $0 == "#default" ? "" : $0 })
  }

  private static func onlyChild(_ name: String, of element: XMLElement) -> XMLElement? {
    let found = element.elements(.signature, name)
    return found.count == 1 ? found[0] : nil
  }

  private static func bytes(of element: XMLElement?) -> [UInt8]? {
    element.flatMap { Base64.decode($0.text.filter { !$0.isWhitespace }) }
  }

  /// Whether no second element can be meant by an id.
  private static func isUnique(_ id: String?, in document: XMLElement) -> Bool {
    guard let id, !id.isEmpty else { return false }
    let bearers = document.all.filter { element in
      element.attributes.contains { $0.name.local.lowercased() == "id" && $0.value == id }
    }
    return bearers.count == 1
  }
}
