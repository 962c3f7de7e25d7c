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
    let (document, mask) = try await find(request, as: caller)
    return try document.stored().message(mask: mask)
  }

  /// The answer of `getDocument(_:as:)` as its bytes on the wire, which are not decoded where the
  /// whole document is wanted.
  package func encodedDocument(
    _ request: GetDocumentRequest, as caller: FirestoreCaller
  ) async throws(APIError) -> [UInt8] {
    let (document, mask) = try await find(request, as: caller)
    return try document.wire(mask: mask)
  }

  private func find(
    _ request: GetDocumentRequest, as caller: FirestoreCaller
  ) async throws(APIError) -> (FoundDocument, mask: FieldTree?) {
    let path = try ResourcePath.document(request.name)
    let mask = try request.hasMask ? FieldTree(mask: FieldPath.mask(request.mask)) : nil
    let reading = try begin(
      ReadSelector(request.consistencySelector), in: path.database, as: caller)
    let (found, _) = try await get([path], reading: reading, caller: caller, tellsTime: false)
    guard let document = found.first?.document else {
      throw APIError(.notFound, message: "Document \"\(path.text)\" not found.")
    }
    return (document, mask)
  }

  package func batchGetDocuments(
    _ request: BatchGetDocumentsRequest, as caller: FirestoreCaller
  ) async throws(APIError) -> [BatchGetDocumentsResponse] {
    let database = try DatabaseName(request.database)
    let mask = try request.hasMask ? FieldTree(mask: FieldPath.mask(request.mask)) : nil
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
    let (found, time) = try await get(paths, reading: reading, caller: caller, tellsTime: true)
    var responses: [BatchGetDocumentsResponse] = []
    for (path, document) in found {
      var response = BatchGetDocumentsResponse()
      if let document {
        response.found = try document.stored().message(mask: mask)
      } else {
        response.missing = path.text
      }
      if let time { response.readTime = ProtoTimestamp(microseconds: time) }
      responses.append(response)
    }
    if let id = reading.newTransaction { responses.insert(.with { $0.transaction = id }, at: 0) }
    return responses
  }

  private typealias Found = (path: ResourcePath, document: FoundDocument?)

  private func get(
    _ paths: [ResourcePath], reading: Reading, caller: FirestoreCaller, tellsTime: Bool
  ) async throws(APIError) -> (found: [Found], time: Int64?) {
    if let transaction = reading.readWrite {
      try await transactions.lock(paths, for: transaction)
    }
    let (found, time) = try await LargeReads.makeRoom {
      () async throws(APIError) -> ([Found], Int64?) in
      try await RuleVerdicts.settle(in: self, database: reading.database) {
        verdicts throws(APIError) -> ([Found], Int64?) in
        let find = { (snapshot: Snapshot) throws(APIError) -> [Found] in
          let gate = RulesGate(
            self, caller: caller, database: reading.database, documents: snapshot.documents,
            verdicts: verdicts)
          return try Self.find(paths, in: snapshot, gate: gate)
        }
        guard tellsTime else { return (try readWithoutTime(reading, body: find), nil) }
        let (found, time) = try read(reading, body: find)
        return (found, time)
      }
    }
    if let transaction = reading.readWrite {
      let reads = found.map { ($0.path, $0.document?.updateTime) }
      transactions.recordReads(
        Dictionary(reads, uniquingKeysWith: { first, _ in first }), for: transaction.number)
    }
    return (found, time)
  }

  private static func find(
    _ paths: [ResourcePath], in snapshot: Snapshot, gate: RulesGate?
  ) throws(APIError) -> [Found] {
    var found: [Found] = []
    var bytes = 0
    for path in paths {
      var document = try snapshot.found(at: path, bytes: &bytes)
      if let gate {
        let stored = try document?.stored()
        try gate.checkGet(path, stored: stored)
        document = stored.map(FoundDocument.decoded)
      }
      try LargeReads.require(bytes, isComplete: found.count == paths.count - 1)
      found.append((path, document))
    }
    return found
  }
}

extension FieldPath {
  static func mask(_ mask: DocumentMask) throws(APIError) -> [FieldPath] {
    var paths: [FieldPath] = []
    for path in mask.fieldPaths { paths.append(try FieldPath(path)) }
    return paths
  }
}
