import HearthExports
import HearthIdentityToolkit
import HearthWire

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a path holds that can be imported.
struct ImportSource {
  let hasAccounts: Bool
  /// The metadata file of the export of Firestore.
  let firestore: String?
  /// Whether there is an export, of whatever services, or a file that we know. The official tools
  /// start without an import where there is none, such as with a folder that is still empty.
  let isKnown: Bool

  /// - Throws: where nothing is at the path, or an export is broken.
  init(_ path: String) throws {
    guard FileManager.default.fileExists(atPath: path) else {
      throw ExportError("not found: \(path)")
    }
    guard Directories.exists(path) else {
      hasAccounts = path.hasSuffix(".json") || path.hasSuffix(".csv")
      firestore = path.hasSuffix(FirestoreFolder.suffix) ? path : nil
      isKnown = hasAccounts || firestore != nil
      return
    }
    firestore = try ExportMetadata.firestoreExport(in: path)
    if let metadata = try ExportMetadata.read(in: path) {
      hasAccounts = metadata["auth"] != nil
      isKnown = true
    } else {
      // An export of Firestore alone has no file that tells.
      hasAccounts = try firestore == nil && AccountImporter.isExport(path)
      isKnown = hasAccounts || firestore != nil
    }
  }
}
