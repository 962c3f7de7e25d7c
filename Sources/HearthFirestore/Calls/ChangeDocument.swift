import HearthCrypto
package import HearthErrors
import HearthFirestoreProtos

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Firestore {
  package func createDocument(
    _ request: CreateDocumentRequest, as caller: FirestoreCaller
  ) async throws(APIError) -> Document {
    let parent = try ResourcePath.parent(request.parent)
    try ResourcePath.check(request.collectionID, as: "Collection")
    let id = request.documentID.isEmpty ? random.alphanumeric(20) : request.documentID
    try ResourcePath.check(id)
    guard request.document.name.isEmpty else { throw .invalid("document.name must not be set") }
    let path = parent.appending(request.collectionID).appending(id)
    var write = Write()
    write.update = request.document
    write.update.name = path.text
    write.currentDocument.exists = false
    return try await change(
      path, write: write, mask: request.hasMask ? request.mask : nil, caller: caller)
  }

  package func updateDocument(
    _ request: UpdateDocumentRequest, as caller: FirestoreCaller
  ) async throws(APIError) -> Document {
    let path = try ResourcePath.document(request.document.name)
    var write = Write()
    write.update = request.document
    if request.hasUpdateMask { write.updateMask = request.updateMask }
    if request.hasCurrentDocument { write.currentDocument = request.currentDocument }
    return try await change(
      path, write: write, mask: request.hasMask ? request.mask : nil, caller: caller)
  }

  package func deleteDocument(
    _ request: DeleteDocumentRequest, as caller: FirestoreCaller
  ) async throws(APIError) {
    let path = try ResourcePath.document(request.name)
    var write = Write()
    write.delete = path.text
    if request.hasCurrentDocument { write.currentDocument = request.currentDocument }
    if contends(path.database, caller) { throw Transactions.contention }
    _ = try await commit([write], in: path.database, caller: caller)
  }

  private func change(
    _ path: ResourcePath, write: Write, mask: DocumentMask?, caller: FirestoreCaller
  ) async throws(APIError) -> Document {
    let shown = try mask.map { mask throws(APIError) in FieldTree(mask: try FieldPath.mask(mask)) }
    if contends(path.database, caller) { throw Transactions.contention }
    let (effects, _) = try await commit([write], in: path.database, caller: caller).result
    guard let stored = effects.last?.after else {
      throw APIError(.internalError, detail: "the document is gone")
    }
    return stored.message(mask: shown)
  }
}
