import HearthIdentityToolkit

/// What an import did.
package struct ImportReport: Sendable {
  /// Whether there was an export, or a file of accounts; it may have had nothing for us.
  package let isKnown: Bool
  /// Nil without a file of accounts.
  package var accounts: AccountImporter.Report?
  /// How many; nil without an export of Firestore.
  package var documents: Int?
}
