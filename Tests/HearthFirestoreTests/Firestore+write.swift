import HearthErrors
import HearthFirestoreProtos
import SwiftProtobuf

@testable import HearthFirestore

extension Firestore {
  /// Sets a document as its owner, at once: for what happens between two transactions.
  func write(_ path: String, fields: Fields) throws(APIError) {
    let write = try CheckedWrite(.set(path, fields: fields), in: Rig.database, boundsPaths: true)
    _ = try commit(in: Rig.database) { application throws(APIError) in
      var applied = try application.apply([write])
      return ((), try applied.store())
    }
  }
}
