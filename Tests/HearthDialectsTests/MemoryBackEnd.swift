import HearthDialects
import HearthErrors
import HearthTime
import HearthWire

/// The emulator's part in memory: accounts with plain passwords, rows, and a mailbox.
final class MemoryBackEnd: DialectBackEnd {
  struct Settled: Equatable {
    let message: Int64
    let end: DialectMessage.End
  }

  /// Whether all digests begin alike, so that every search finds the same row.
  var digestsCollide = false

  private var accounts: [String: DialectAccount] = [:]
  private var passwords: [String: String] = [:]
  private(set) var rows: [DialectKey: JSON] = [:]
  private(set) var messages: [DialectMessage] = []
  private(set) var settled: [Settled] = []
  private(set) var revoked: [String] = []
  private(set) var signedIn: [String] = []

  func add(
    id: String, email: String? = nil, phone: String? = nil, password: String = "old-password",
    displayName: String? = nil, isDisabled: Bool = false
  ) {
    accounts[id] = DialectAccount(
      id: id, email: email, phone: phone, displayName: displayName,
      createdAt: Timestamp(seconds: 1_700_000_000), isDisabled: isDisabled)
    passwords[id] = password
  }

  func remove(_ id: String) { accounts[id] = nil }

  func signsIn(_ email: String, password: String) -> Bool {
    accounts.values.contains { $0.email == email && passwords[$0.id] == password }
  }

  func account(_ identity: DialectIdentity) throws(APIError) -> DialectAccount? {
    switch identity {
    case .id(let id): accounts[id]
    case .email(let email): accounts.values.first { $0.email == email }
    case .phone(let phone): accounts.values.first { $0.phone == phone }
    }
  }

  func isPassword(_ password: String, of account: DialectAccount?) throws(APIError) -> Bool {
    account.map { passwords[$0.id] == password } ?? false
  }

  func setPassword(
    _ password: String, of account: DialectAccount, endingSessions: Bool
  ) throws(APIError) {
    passwords[account.id] = password
    if endingSessions { revoked.append(account.id) }
  }

  func noteSignIn(of account: DialectAccount) { signedIn.append(account.id) }

  func row(_ key: DialectKey) throws(APIError) -> JSON? { rows[key] }

  func setRow(_ key: DialectKey, to value: JSON, until end: Timestamp) throws(APIError) {
    rows[key] = value
  }

  func removeRow(_ key: DialectKey) throws(APIError) { rows[key] = nil }

  /// Four differently seeded FNV-1a sums: enough to tell texts apart, which is all a test needs.
  func digest(of text: String) -> [UInt8] {
    (0..<4 as Range<UInt64>).flatMap { lane in
      if digestsCollide && lane < 2 { return [UInt8](repeating: 7, count: 8) }
      var sum: UInt64 = 0xCBF2_9CE4_8422_2325 &+ lane &* 0x9E37_79B9_7F4A_7C15
      for byte in text.utf8 { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
      return withUnsafeBytes(of: sum.bigEndian, Array.init)
    }
  }

  func capture(_ message: DialectMessage) throws(APIError) -> Int64 {
    messages.append(message)
    return Int64(messages.count)
  }

  func settle(
    _ message: Int64, as end: DialectMessage.End, at now: Timestamp
  ) throws(APIError) {
    settled.append(Settled(message: message, end: end))
  }
}
