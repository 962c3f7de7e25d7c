import HearthErrors
import HearthIdentityToolkit
import HearthOperations
import HearthWire

/// Restores what an export of ours says beside the official layout.
struct ExtrasImport {
  let folder: ExportFolder
  let target: ImportTarget
  let journal: ImportJournal

  /// The first line: settings, tenants and providers. They come before the users.
  func restoreProject() throws {
    guard let facts = try folder.firstExtra() else { return }
    try target.transaction { project, _ throws(APIError) in
      try ProjectFacts.restore(facts, in: project, journal: journal)
    }
  }

  /// The other lines: the fields of users that the official layout loses.
  func restoreUsers(except refused: Set<AccountName>) throws {
    var lines: [JSON] = []
    try folder.readExtras { line in
      lines.append(line)
      if lines.count == AccountImporter.batchSize { try restore(&lines, except: refused) }
    }
    try restore(&lines, except: refused)
  }

  private func restore(_ lines: inout [JSON], except refused: Set<AccountName>) throws {
    let records = lines
    lines.removeAll(keepingCapacity: true)
    try target.transaction { project, _ throws(APIError) in
      for record in records {
        let tenantId = (record["tenantId"]?.string).nonEmpty
        let localId = record["localId"]?.string ?? ""
        guard !refused.contains(AccountName(tenantId: tenantId, localId: localId)) else { continue }
        let owner = project.inTenant(tenantId)
        guard let known = try Accounts(in: owner).user(localId: localId) else { continue }
        var merged = known.record.object ?? JSONObject()
        // An import gives some of them values of its own.
        for name in User.lostByExport where record[name] == nil { merged[name] = nil }
        merged.merge(record.object ?? JSONObject())
        var user = User(record: .object(merged))
        user.storedKeys = known.storedKeys
        try Accounts(in: owner).save(&user)
        let original =
          try Accounts(in: owner).importedRecord(of: localId)?.json ?? known.wire(for: .admin)
        try Accounts(in: owner).keepImported(ImportedRecord(original, takenAs: user), of: localId)
      }
    }
  }
}
