import HearthCrypto
package import HearthWire
import Synchronization

/// The tokens that were issued since the snapshots of their projects, and those that a restore has
/// taken back, because their users signed in after the snapshot.
///
/// A token is known by a hash of its claims. Times would not do: a token of the second after a restore
/// may have the times of one of the second before.
package final class IssuedTokens: Sendable {
  /// Of more tokens since a snapshot, or taken back, the oldest are forgotten.
  private static let most = 100_000
  private static let mostRecent = 4096

  /// Hashes of tokens, with the order in which they were issued.
  fileprivate typealias Tokens = [Int64: Int]

  private struct Mark {
    let sequence: Int
    let revoked: Tokens
    /// The tokens of the second of the snapshot: one that is equal to one of them stays good.
    let recent: Set<Int>
  }

  /// The tokens of the latest second, by their users.
  private struct Recent {
    var second: Int64 = 0
    var tokens: Set<Int> = []
  }

  private struct Project {
    var issued: Tokens = [:]
    var sequence = 0
    var revoked: Tokens = [:]
    var snapshots: [Int64: Mark] = [:]
  }

  /// The tokens of a project that are refused.
  package struct Revoked: Sendable {
    fileprivate let tokens: Tokens
  }

  /// Projects that have, or had, snapshots.
  private let projects = Mutex<[String: Project]>([:])
  private let recent = Mutex<[String: Recent]>([:])
  /// Requests look here first.
  private let none = Atomic(true)

  package init() {}

  // MARK: Tokens

  /// - Returns: whether the token had been taken back. It is good again: it is equal to one that is
  ///   issued now.
  package func note(_ claims: JSONObject, of project: String) -> Bool {
    let second = claims["iat"]?.integer ?? 0
    var hasher = Hasher()
    hasher.combine(second)
    hasher.combine(claims["user_id"]?.string)
    let short = hasher.finalize()
    let wasRevoked =
      !none.load(ordering: .relaxed) && note(Self.hash(claims), short: short, of: project)
    recent.withLock { projects in
      if projects.count > Self.mostRecent { projects = [:] }
      var known = projects.removeValue(forKey: project) ?? Recent()
      if known.second != second || known.tokens.count > Self.mostRecent {
        known = Recent(second: second)
      }
      known.tokens.insert(short)
      projects[project] = known
    }
    return wasRevoked
  }

  package func note(refreshToken: String, of project: String) {
    guard !none.load(ordering: .relaxed) else { return }
    let token = Self.hash(refreshToken)
    _ = note(token, short: Int(truncatingIfNeeded: token), of: project)
  }

  private func note(_ token: Int64, short: Int, of name: String) -> Bool {
    projects.withLock { projects in
      guard var project = projects.removeValue(forKey: name) else { return false }
      defer { projects[name] = project }
      project.sequence += 1
      let wasRevoked = project.revoked.removeValue(forKey: token) != nil
      let marks = project.snapshots.values
      guard !marks.isEmpty, !marks.contains(where: { $0.recent.contains(short) }) else {
        return wasRevoked
      }
      project.issued[token] = project.sequence
      project.issued = Self.latest(project.issued)
      return wasRevoked
    }
  }

  /// The later half, where there are too many.
  private static func latest(_ tokens: Tokens) -> Tokens {
    guard tokens.count > most else { return tokens }
    let middle = tokens.values.sorted()[tokens.count / 2]
    return tokens.filter { $0.value > middle }
  }

  package func isRevoked(_ claims: JSONObject, of project: String) -> Bool {
    guard !none.load(ordering: .relaxed) else { return false }
    let token = Self.hash(claims)
    return projects.withLock { $0[project]?.revoked[token] != nil }
  }

  /// Whatever project it is of: the token itself does not say.
  package func isRevoked(refreshToken: String) -> Bool {
    guard !none.load(ordering: .relaxed) else { return false }
    let token = Self.hash(refreshToken)
    return projects.withLock { $0.values.contains { $0.revoked[token] != nil } }
  }

  private static func hash(_ claims: JSONObject) -> Int64 { hash(JSON.object(claims).text) }

  /// The same in every run.
  private static func hash(_ text: String) -> Int64 {
    let digest = Digest.sha256.hash(Array(text.utf8)).prefix(8)
    return Int64(bitPattern: digest.reduce(0) { $0 << 8 | UInt64($1) })
  }

  // MARK: Snapshots

  package func saved(_ snapshot: Int64, of name: String) {
    let recent = recent.withLock { $0[name]?.tokens ?? [] }
    projects.withLock { projects in
      var project = projects[name] ?? Project()
      project.snapshots[snapshot] = Mark(
        sequence: project.sequence, revoked: project.revoked, recent: recent)
      projects[name] = project
    }
    none.store(false, ordering: .relaxed)
  }

  /// What is refused once the snapshot is restored: what was issued since, while what it knew is good
  /// again.
  package func revoked(byRestoring snapshot: Int64, of name: String) -> Revoked {
    projects.withLock { projects in
      guard let project = projects[name], let mark = project.snapshots[snapshot] else {
        return Revoked(tokens: projects[name]?.revoked ?? [:])
      }
      let later = project.issued.filter { $0.value > mark.sequence }
      return Revoked(tokens: Self.latest(mark.revoked.merging(later) { max($0, $1) }))
    }
  }

  package func restored(_ revoked: Revoked, of name: String) {
    projects.withLock { $0[name]?.revoked = revoked.tokens }
  }

  package func deleted(_ snapshot: Int64, of name: String) {
    projects.withLock { projects in
      projects[name]?.snapshots[snapshot] = nil
      guard projects[name]?.snapshots.isEmpty == true else { return }
      projects[name]?.issued = [:]
    }
  }
}

// MARK: As it is kept

extension IssuedTokens {
  /// The refused tokens of a project, eight bytes each, the oldest first.
  package func revokedBytes(of project: String) -> [UInt8] {
    Revoked(tokens: projects.withLock { $0[project]?.revoked ?? [:] }).bytes
  }

  /// Takes over what an earlier run has kept, by projects.
  package func load(_ kept: [(project: String, bytes: [UInt8])]) {
    guard !kept.isEmpty else { return }
    projects.withLock { projects in
      for (name, bytes) in kept {
        let revoked = Revoked(bytes: bytes)
        var project = projects[name] ?? Project()
        project.revoked = revoked.tokens
        project.sequence += revoked.tokens.count
        projects[name] = project
      }
    }
    none.store(false, ordering: .relaxed)
  }
}

extension IssuedTokens.Revoked {
  fileprivate init(bytes: [UInt8]) {
    var tokens: [Int64: Int] = [:]
    var hash: UInt64 = 0
    for (index, byte) in bytes.enumerated() {
      hash = hash << 8 | UInt64(byte)
      if index % 8 == 7 { tokens[Int64(bitPattern: hash)] = index / 8 + 1 }
    }
    self.tokens = tokens
  }

  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(tokens.count * 8)
    for (token, _) in tokens.sorted(by: { $0.value < $1.value }) {
      withUnsafeBytes(of: token.bigEndian) { bytes.append(contentsOf: $0) }
    }
    return bytes
  }
}
