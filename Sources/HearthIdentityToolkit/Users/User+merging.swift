import HearthWire

extension User {
  /// This user with what differs between two other states of them: two writers who started from
  /// the same state both get what they wanted, and where both changed a field, the second does.
  func taking(from changed: User, changedFrom before: User) -> User {
    let (old, new) = (before.record.object ?? JSONObject(), changed.record.object ?? JSONObject())
    var record = record.object ?? JSONObject()
    for name in Set(old.keys).union(new.keys) where old[name] != new[name] {
      record[name] = Self.merged(name, now: record[name], from: old[name], to: new[name])
    }
    var user = User(record: .object(record))
    user.password = mergedPassword(from: before.password, to: changed.password)
    user.storedKeys = storedKeys
    return user
  }

  /// A sign-in takes a password away, or hashes the same one again. The latter must not bring back
  /// one that has been replaced.
  private func mergedPassword(from old: PasswordHash?, to new: PasswordHash?) -> PasswordHash? {
    guard old != new else { return password }
    return new == nil || password == old ? new : password
  }

  /// What names an entry of the lists, in which each entry is a field of its own.
  private static let keys = ["providerUserInfo": "providerId", "mfaInfo": "mfaEnrollmentId"]

  private static func merged(_ name: String, now: JSON?, from old: JSON?, to new: JSON?) -> JSON? {
    guard let key = keys[name], let new = new?.array else { return new }
    let old = old?.array ?? []
    var entries = now?.array ?? []
    for entry in new where !old.contains(entry) {
      if let index = entries.firstIndex(where: { $0[key] == entry[key] }) {
        entries[index] = entry
      } else if !old.contains(where: { $0[key] == entry[key] }) {
        entries.append(entry)
      }
    }
    let removed = old.filter { entry in !new.contains { $0[key] == entry[key] } }
    entries.removeAll { entry in removed.contains { $0[key] == entry[key] } }
    return .array(entries)
  }
}
