package import HearthFirestoreProtos
import HearthTime
package import SwiftProtobuf

package typealias Value = Google_Firestore_V1_Value
package typealias ArrayValue = Google_Firestore_V1_ArrayValue
package typealias MapValue = Google_Firestore_V1_MapValue
package typealias Fields = HearthFirestoreProtos.Fields
package typealias Document = Google_Firestore_V1_Document
package typealias DocumentMask = Google_Firestore_V1_DocumentMask
package typealias Precondition = Google_Firestore_V1_Precondition
package typealias Write = Google_Firestore_V1_Write
package typealias WriteResult = Google_Firestore_V1_WriteResult
package typealias FieldTransform = Google_Firestore_V1_DocumentTransform.FieldTransform
package typealias StructuredQuery = Google_Firestore_V1_StructuredQuery
package typealias StructuredAggregationQuery = Google_Firestore_V1_StructuredAggregationQuery
package typealias TransactionOptions = Google_Firestore_V1_TransactionOptions
package typealias ProtoTimestamp = Google_Protobuf_Timestamp

package typealias GetDocumentRequest = Google_Firestore_V1_GetDocumentRequest
package typealias ListDocumentsRequest = Google_Firestore_V1_ListDocumentsRequest
package typealias ListDocumentsResponse = Google_Firestore_V1_ListDocumentsResponse
package typealias CreateDocumentRequest = Google_Firestore_V1_CreateDocumentRequest
package typealias UpdateDocumentRequest = Google_Firestore_V1_UpdateDocumentRequest
package typealias DeleteDocumentRequest = Google_Firestore_V1_DeleteDocumentRequest
package typealias BatchGetDocumentsRequest = Google_Firestore_V1_BatchGetDocumentsRequest
package typealias BatchGetDocumentsResponse = Google_Firestore_V1_BatchGetDocumentsResponse
package typealias BeginTransactionRequest = Google_Firestore_V1_BeginTransactionRequest
package typealias BeginTransactionResponse = Google_Firestore_V1_BeginTransactionResponse
package typealias CommitRequest = Google_Firestore_V1_CommitRequest
package typealias CommitResponse = Google_Firestore_V1_CommitResponse
package typealias RollbackRequest = Google_Firestore_V1_RollbackRequest
package typealias RunQueryRequest = Google_Firestore_V1_RunQueryRequest
package typealias RunQueryResponse = Google_Firestore_V1_RunQueryResponse
package typealias RunAggregationQueryRequest = Google_Firestore_V1_RunAggregationQueryRequest
package typealias RunAggregationQueryResponse = Google_Firestore_V1_RunAggregationQueryResponse
package typealias PartitionQueryRequest = Google_Firestore_V1_PartitionQueryRequest
package typealias PartitionQueryResponse = Google_Firestore_V1_PartitionQueryResponse
package typealias ListCollectionIdsRequest = Google_Firestore_V1_ListCollectionIdsRequest
package typealias ListCollectionIdsResponse = Google_Firestore_V1_ListCollectionIdsResponse
package typealias BatchWriteRequest = Google_Firestore_V1_BatchWriteRequest
package typealias BatchWriteResponse = Google_Firestore_V1_BatchWriteResponse
package typealias WriteRequest = Google_Firestore_V1_WriteRequest
package typealias WriteResponse = Google_Firestore_V1_WriteResponse
package typealias ListenRequest = Google_Firestore_V1_ListenRequest
package typealias ListenResponse = Google_Firestore_V1_ListenResponse
package typealias Target = Google_Firestore_V1_Target

extension Google_Protobuf_Timestamp {
  /// The precision that is stored.
  package init(microseconds: Int64) {
    self.init()
    let seconds = microseconds.quotientRoundingDown(by: 1_000_000)
    self.seconds = seconds
    nanos = Int32(truncatingIfNeeded: (microseconds &- seconds &* 1_000_000) &* 1000)
  }

  /// Reads `2027-01-31T09:30:00Z`, with a fraction and an offset where there are any.
  package init?(iso8601 text: String) {
    var text = text
    guard let parts = text.withUTF8({ Timestamp.parts(iso8601: $0) }) else { return nil }
    self.init()
    seconds = parts.seconds
    nanos = Int32(truncatingIfNeeded: parts.nanoseconds)
  }

  package var microseconds: Int64 { seconds &* 1_000_000 &+ Int64(nanos / 1000) }
}

extension Int64 {
  /// Microseconds, without what is less than a millisecond.
  var inWholeMilliseconds: Int64 { quotientRoundingDown(by: 1000) * 1000 }

  func quotientRoundingDown(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
