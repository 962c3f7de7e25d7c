import HearthIdentityToolkit

/// What an import did.
struct ImportReport: Sendable {
  /// Whether there was an export, or a file of accounts; it may have had nothing for us.
  let isKnown: Bool
  /// Nil without a file of accounts.
  var accounts: AccountImporter.Report?
  /// How many; nil without an export of Firestore.
  var documents: Int?
}
