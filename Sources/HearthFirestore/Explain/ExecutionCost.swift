import HearthErrors
import HearthFirestoreProtos
import SwiftProtobuf

/// What production reads for a query, counted after it has been run here.
struct ExecutionCost: Sendable {
  var results = 0
  var documents = 0
  var entries = 0
  /// Entries of an index of vectors, which are compared one by one.
  var vectors: Int?
  /// Whether entries are paid for instead of documents.
  var isAggregation = false

  /// Production counts a thousand entries as a read, and a hundred compared vectors.
  private var readOperations: Int {
    let entries = isAggregation ? (entries + 999) / 1000 : 0
    return max(1, documents + entries + ((vectors ?? 0) + 99) / 100)
  }

  private var isFree: Bool { documents == 0 && (entries == 0 || !isAggregation) && vectors == nil }

  func statistics(after duration: Int64) -> Google_Firestore_V1_ExecutionStats {
    var billing = [
      "documents_billable": documents, "index_entries_billable": isAggregation ? entries : 0,
      "small_ops": 0, "min_query_cost": isFree ? 1 : 0,
    ]
    billing["knn_vector_index_entries_billable"] = vectors
    return .with {
      $0.resultsReturned = Int64(results)
      $0.executionDuration = .with {
        $0.seconds = duration / 1_000_000
        $0.nanos = Int32(duration % 1_000_000) * 1000
      }
      $0.readOperations = Int64(readOperations)
      $0.debugStats = Google_Protobuf_Struct(fields: [
        "billing_details": Google_Protobuf_Value(
          structValue: Google_Protobuf_Struct(fields: billing.mapValues(Self.text))),
        "documents_scanned": Self.text(documents),
        "index_entries_scanned": Self.text(entries),
      ])
    }
  }

  private static func text(_ number: Int) -> Google_Protobuf_Value {
    Google_Protobuf_Value(stringValue: "\(number)")
  }
}
