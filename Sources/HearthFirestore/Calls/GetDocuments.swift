package import HearthErrors
import HearthFirestoreProtos
import HearthTime
import SwiftProtobuf

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Firestore {
  package func getDocument(
    _ request: GetDocumentRequest, as caller: FirestoreCaller
  ) async throws(APIError) -> Document {
    let path = try ResourcePath.document(request.name)
    let mask = try request.hasMask ? FieldPath.mask(request.mask) : nil
    let reading = try begin(
      ReadSelector(request.consistencySelector), in: path.database, as: caller)
    let (found, _) = try await get([path], reading: reading, caller: caller)
    guard let document = found.first?.document else {
      throw APIError(.notFound, message: "Document \"\(path.text)\" not found.")
    }
    return document.message(mask: mask)
  }

  package func batchGetDocuments(
    _ request: BatchGetDocumentsRequest, as caller: FirestoreCaller
  ) async throws(APIError) -> [BatchGetDocumentsResponse] {
    let database = try DatabaseName(request.database)
    let mask = try request.hasMask ? FieldPath.mask(request.mask) : nil
    var paths: [ResourcePath] = []
    var seen: Set<ResourcePath> = []
    for name in request.documents {
      let path = try ResourcePath.document(name)
      guard path.database == database else {
        throw .otherDatabase(path.database, than: database)
      }
      if seen.insert(path).inserted { paths.append(path) }
    }
    let reading = try begin(ReadSelector(request.consistencySelector), in: database, as: caller)
    let (found, time) = try await get(paths, reading: reading, caller: caller)
    var responses = found.map { path, document in
      var response = BatchGetDocumentsResponse()
      if let document {
        response.found = document.message(mask: mask)
      } else {
        response.missing = path.text
      }
      response.readTime = ProtoTimestamp(microseconds: time)
      return response
    }
    if let id = reading.newTransaction { responses.insert(.with { $0.transaction = id }, at: 0) }
    return responses
  }

  private typealias Found = (path: ResourcePath, document: StoredDocument?)

  private func get(
    _ paths: [ResourcePath], reading: Reading, caller: FirestoreCaller
  ) async throws(APIError) -> (found: [Found], time: Int64) {
    if let transaction = reading.readWrite {
      try await transactions.lock(paths, for: transaction)
    }
    let (found, time) = try await LargeReads.makeRoom { () async throws(APIError) in
      try await RuleVerdicts.settle(in: self, database: reading.database) {
        verdicts throws(APIError) in
        try read(reading) { snapshot throws(APIError) in
          let gate = RulesGate(
            self, caller: caller, database: reading.database, documents: snapshot.documents,
            verdicts: verdicts)
          var found: [Found] = []
          var bytes = 0
          for path in paths {
            let document = try snapshot.document(at: path, bytes: &bytes)
            try gate?.checkGet(path, stored: document)
            try LargeReads.require(bytes, isComplete: found.count == paths.count - 1)
            found.append((path, document))
          }
          return found
        }
      }
    }
    if let transaction = reading.readWrite {
      let reads = found.map { ($0.path, $0.document?.updateTime) }
      transactions.recordReads(
        Dictionary(reads, uniquingKeysWith: { first, _ in first }), for: transaction.number)
    }
    return (found, time)
  }
}

extension FieldPath {
  static func mask(_ mask: DocumentMask) throws(APIError) -> [FieldPath] {
    var paths: [FieldPath] = []
    for path in mask.fieldPaths { paths.append(try FieldPath(path)) }
    return paths
  }
}
