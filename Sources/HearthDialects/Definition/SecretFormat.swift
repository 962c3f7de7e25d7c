import HearthWire

/// What tokens, codes and made-up passwords look like.
struct SecretFormat: Sendable {
  enum Kind: String, CaseIterable {
    case digits, alphanumeric, hex, base64url, characters, uuid, jwt
  }

  let kind: Kind
  let length: Int
  /// What it is drawn from; empty for `uuid` and `jwt`.
  let alphabet: [UInt8]
  let ignoresCase: Bool

  static let members = ["kind", "length", "alphabet", "ignoresCase"]
  static let sessionToken = SecretFormat(kind: .hex, length: 64, alphabet: hex)

  private static let digits = Array("0123456789".utf8)
  private static let hex = Array("0123456789abcdef".utf8)
  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

  private init(kind: Kind, length: Int, alphabet: [UInt8]) {
    self.kind = kind
    self.length = length
    self.alphabet = alphabet
    ignoresCase = false
  }

  init(_ object: DefinitionObject) throws(DefinitionFault) {
    kind = try object.required("kind").choice(of: Kind.self)
    if let length = object["length"] {
      guard kind != .uuid, kind != .jwt else {
        throw length.fault("is given by the kind \"\(kind.rawValue)\"")
      }
      self.length = try length.integer(in: 4...512)
    } else {
      guard kind == .uuid || kind == .jwt else { throw object.missing("length") }
      length = kind == .uuid ? 36 : 0
    }
    if kind != .characters, let alphabet = object["alphabet"] {
      throw alphabet.fault("is only for the kind \"characters\"")
    }
    alphabet = try Self.alphabet(of: kind, object)
    ignoresCase = try object.bool("ignoresCase", default: false)
    if ignoresCase, let fault = Self.caseFault(kind, alphabet: alphabet) {
      throw (object["ignoresCase"] ?? DefinitionValue(json: true, pointer: object.pointer))
        .fault(fault)
    }
  }

  private static func alphabet(
    of kind: Kind, _ object: DefinitionObject
  ) throws(DefinitionFault) -> [UInt8] {
    switch kind {
    case .digits: return digits
    case .hex: return hex
    case .alphanumeric: return letters + digits
    case .base64url: return letters + digits + Array("-_".utf8)
    case .uuid, .jwt: return []
    case .characters:
      let value = try object.required("alphabet")
      let alphabet = Array(try value.string().utf8)
      guard alphabet.count >= 8, alphabet.allSatisfy(\.isASCIIVisible) else {
        throw value.fault("must be at least eight visible ASCII characters")
      }
      guard Set(alphabet).count == alphabet.count else {
        throw value.fault("must not have a character twice")
      }
      return alphabet
    }
  }

  /// Two secrets that differ in case only would be one.
  private static func caseFault(_ kind: Kind, alphabet: [UInt8]) -> String? {
    if kind == .jwt { return "cannot be; the case of a JWT carries meaning" }
    guard alphabet.contains(where: \.isASCIIUppercase),
      alphabet.contains(where: \.isASCIILowercase)
    else { return nil }
    return "cannot be; the alphabet has letters of both cases"
  }
}
