package import HearthWire
import Synchronization

/// The tokens that were issued since the snapshots of their projects, and those that a restore has
/// taken back: whoever holds one of them signed in at a time that is undone.
///
/// A token is known by a hash of its claims. Times would not do: a token of the second after a restore
/// may have the times of one of the second before.
package final class IssuedTokens: Sendable {
  /// Of more tokens since a snapshot, the oldest are forgotten.
  private static let most = 100_000
  private static let mostRecent = 4096

  private struct Mark {
    let sequence: Int
    let revoked: Set<Int>
    /// The tokens of the second of the snapshot: one that is equal to one of them stays good.
    let recent: Set<Int>
  }

  /// The tokens of the latest second, by their users.
  private struct Recent {
    var second: Int64 = 0
    var tokens: Set<Int> = []
  }

  private struct Project {
    /// When each was issued.
    var issued: [Int: Int] = [:]
    var sequence = 0
    var revoked: Set<Int> = []
    var snapshots: [Int64: Mark] = [:]
  }

  /// Projects that have, or had, snapshots.
  private let projects = Mutex<[String: Project]>([:])
  private let recent = Mutex<[String: Recent]>([:])
  /// Requests look here first.
  private let none = Atomic(true)

  package init() {}

  // MARK: Tokens

  package func note(_ claims: JSONObject, of project: String) {
    let second = claims["iat"]?.integer ?? 0
    var hasher = Hasher()
    hasher.combine(second)
    hasher.combine(claims["user_id"]?.string)
    let short = hasher.finalize()
    if !none.load(ordering: .relaxed) { note(Self.hash(claims), short, of: project) }
    recent.withLock { projects in
      if projects.count > Self.mostRecent { projects = [:] }
      var known = projects.removeValue(forKey: project) ?? Recent()
      if known.second != second || known.tokens.count > Self.mostRecent {
        known = Recent(second: second)
      }
      known.tokens.insert(short)
      projects[project] = known
    }
  }

  package func note(refreshToken: String, of project: String) {
    guard !none.load(ordering: .relaxed) else { return }
    note(refreshToken.hashValue, refreshToken.hashValue, of: project)
  }

  private func note(_ token: Int, _ short: Int, of name: String) {
    projects.withLock { projects in
      guard var project = projects.removeValue(forKey: name) else { return }
      defer { projects[name] = project }
      project.sequence += 1
      // One that was taken back and is issued again in the same second is good again.
      project.revoked.remove(token)
      let marks = project.snapshots.values
      guard !marks.isEmpty, !marks.contains(where: { $0.recent.contains(short) }) else { return }
      project.issued[token] = project.sequence
      guard project.issued.count > Self.most else { return }
      let oldest = project.sequence - Self.most / 2
      project.issued = project.issued.filter { $0.value > oldest }
    }
  }

  package func isRevoked(_ claims: JSONObject, of project: String) -> Bool {
    guard !none.load(ordering: .relaxed) else { return false }
    let token = Self.hash(claims)
    return projects.withLock { $0[project]?.revoked.contains(token) ?? false }
  }

  /// Whatever project it is of: the token itself does not say.
  package func isRevoked(refreshToken: String) -> Bool {
    guard !none.load(ordering: .relaxed) else { return false }
    let token = refreshToken.hashValue
    return projects.withLock { $0.values.contains { $0.revoked.contains(token) } }
  }

  private static func hash(_ claims: JSONObject) -> Int { JSON.object(claims).text.hashValue }

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

  /// Takes back what was issued since the snapshot; what it knew is good again.
  package func restored(_ snapshot: Int64, of name: String) {
    projects.withLock { projects in
      guard var project = projects[name], let mark = project.snapshots[snapshot] else { return }
      let later = project.issued.filter { $0.value > mark.sequence }.keys
      project.revoked = mark.revoked.union(later)
      projects[name] = project
    }
  }

  package func deleted(_ snapshot: Int64, of name: String) {
    projects.withLock { projects in
      projects[name]?.snapshots[snapshot] = nil
      guard projects[name]?.snapshots.isEmpty == true else { return }
      projects[name]?.issued = [:]
    }
  }
}
