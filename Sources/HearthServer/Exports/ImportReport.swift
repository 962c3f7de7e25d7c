import HearthIdentityToolkit

/// What an import did.
struct ImportReport: Sendable {
  /// Whether there was an export, or a file of accounts; it may have had nothing for us.
  let isKnown: Bool
  /// Nil where there were none to read.
  var accounts: AccountImporter.Report?
  /// Nil where there was no export of Firestore.
  var documents: Int?
}
