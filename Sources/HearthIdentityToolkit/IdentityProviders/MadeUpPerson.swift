import HearthCrypto
import HearthWire

/// Somebody made up from the text of an access token: the same text is the same person.
struct MadeUpPerson: Sendable, Equatable {
  /// Fifteen digits, of which a double loses none.
  let id: String
  let firstName: String
  let lastName: String
  /// What the person is called in the addresses of the provider.
  let login: String
  let email: String

  private static let firstNames = ["Ada", "Alan", "Barbara", "Edsger", "Grace", "Katherine", "Ken"]
  private static let lastNames = ["Badger", "Hare", "Heron", "Lynx", "Marten", "Otter", "Raven"]

  init(accessToken: String, of providerId: String) {
    let digest = Digest.sha256.hash(Array("\(providerId)\n\(accessToken)".utf8))
    let number = digest.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    let digits = String(number % 900_000_000_000_000 + 100_000_000_000_000)
    id = digits
    firstName = Self.firstNames[Int(digest[8]) % Self.firstNames.count]
    lastName = Self.lastNames[Int(digest[9]) % Self.lastNames.count]
    let (first, last) = (firstName.lowercased(), lastName.lowercased())
    login = "\(first)-\(last)-\(digits.suffix(4))"
    email = "\(first).\(last).\(digits.suffix(6))@example.com"
  }

  var name: String { "\(firstName) \(lastName)" }

  /// The id as a number of JSON.
  var number: JSON { Int64(id).map(JSON.int) ?? .string(id) }
}
