package import HearthErrors
import HearthOperations
import HearthSQLite
package import HearthWire

/// The record of an account in the folder that it was imported from. An export gives back what came
/// in: members that were not changed here are as they were, readable passwords and members that
/// Hearth does not know among them.
package struct ImportedRecord {
  /// What the folder has.
  private let original: JSONObject
  /// The members that the account had otherwise after the import; null for those that it lacked.
  private let taken: JSONObject

  /// - Returns: nil where an export of the account would be the same to the byte without it.
  package init?(_ original: JSON, takenAs user: User) {
    let wire = user.wire(for: .admin)
    guard let object = original.object, original.bytes != wire.bytes else { return nil }
    self.original = object
    var taken = JSONObject()
    for name in Set(object.keys).union(wire.object?.keys ?? []).sorted() {
      guard object[name] != wire[name] else { continue }
      taken.append(name, value: wire[name] ?? .null)
    }
    self.taken = taken
  }

  fileprivate init(original: JSON, taken: JSON) {
    self.original = original.object ?? JSONObject()
    self.taken = taken.object ?? JSONObject()
  }

  /// The record with what has changed since, in the order that it had.
  package func updated(_ wire: JSONObject) -> JSONObject {
    var result = JSONObject()
    for (name, value) in original.members {
      if isUnchanged(name, wire: wire) {
        result.append(name, value: value)
      } else if let current = wire[name] {
        result.append(name, value: current)
      }
    }
    for (name, value) in wire.members where original[name] == nil && !isUnchanged(name, wire: wire)
    {
      result.append(name, value: value)
    }
    return result
  }

  private func isUnchanged(_ name: String, wire: JSONObject) -> Bool {
    let before = taken[name] ?? original[name] ?? .null
    return before == wire[name] ?? .null
  }

  package var json: JSON { .object(original) }

  fileprivate var values: (original: String, taken: String) {
    (JSON.object(original).text, JSON.object(taken).text)
  }
}

extension Accounts {
  /// Remembers the record that an account was imported from. Nil forgets it.
  package func keepImported(_ record: ImportedRecord?, of localId: String) throws(APIError) {
    guard let values = record?.values else { return try forgetImportedRecord(of: localId) }
    try transaction.execute(
      """
      INSERT OR REPLACE INTO imported_records (project, tenant, local_id, original, taken)
      VALUES (?, ?, ?, ?, ?)
      """,
      arguments: [projectId, tenantKey, localId, values.original, values.taken])
  }

  package func importedRecord(of localId: String) throws(APIError) -> ImportedRecord? {
    try importedRecords(from: localId, through: localId)[Array(localId.utf8)]
  }

  /// The records of the accounts whose ids are between these two, by the bytes of their ids.
  package func importedRecords(
    from first: String, through last: String
  ) throws(APIError) -> [[UInt8]: ImportedRecord] {
    let rows = try transaction.all(
      """
      SELECT local_id, original, taken FROM imported_records
      WHERE project = ? AND tenant = ? AND local_id BETWEEN ? AND ?
      """,
      arguments: [projectId, tenantKey, first, last]
    ) { row in
      (
        Array((row[0] as String).utf8),
        ImportedRecord(
          original: try JSON.parse(row[1] as String), taken: try JSON.parse(row[2] as String))
      )
    }
    return Dictionary(rows) { _, last in last }
  }

  private func forgetImportedRecord(of localId: String) throws(APIError) {
    try transaction.execute(
      "DELETE FROM imported_records WHERE project = ? AND tenant = ? AND local_id = ?",
      arguments: [projectId, tenantKey, localId])
  }
}
