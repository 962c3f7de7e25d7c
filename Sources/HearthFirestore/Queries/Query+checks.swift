import HearthErrors
import HearthFirestoreProtos

/// What production does not answer for want of an index.
extension Query {
  private var isByNameOnly: Bool {
    orders.allSatisfy(\.field.isDocumentName)
      && (filter?.tests ?? []).allSatisfy(\.field.isDocumentName)
  }

  /// Collections of any id are read by name, and so are collection groups below a document.
  func checkScope() throws(APIError) {
    if collectionId == nil {
      if let test = filter?.tests.first(where: { !$0.field.isDocumentName }) {
        throw .invalid("kind is required for filter: \(test.field)")
      }
      guard orders.allSatisfy({ $0.field.isDocumentName && !$0.isDescending }) else {
        throw .invalid("kind is required for all orders except __key__ ascending")
      }
    } else if allDescendants, !parent.isRoot, !isByNameOnly {
      throw .invalid("collection group queries are only allowed at the root parent")
    }
  }

  /// Names in the opposite order are in the index of an equality only.
  func checkScan() throws(APIError) {
    guard let first = orders.first, first.field.isDocumentName, first.isDescending else { return }
    let isInIndex = (filter?.tests ?? []).contains {
      !$0.field.isDocumentName && !$0.comparison.isInequality
    }
    guard isInIndex else {
      throw APIError(
        .failedPrecondition, message: "Firestore does not support descending key scans")
    }
  }

  /// Sums and averages come from an index that ends with their fields. An order that ends with the
  /// name, or a test of the name, leaves no place for them.
  func checkAggregation(
    of fields: [FieldPath], orderedBy given: [StructuredQuery.Order]
  ) throws(APIError) {
    let missing = Set(fields.filter { field in !orders.contains { $0.field == field } }).sorted()
    let isClosed =
      given.last?.field.fieldPath == "__name__"
      || (filter?.tests ?? []).contains(where: \.field.isDocumentName)
      || allDescendants && !parent.isRoot
    guard missing.isEmpty || !isClosed else {
      let names = missing.map(\.description).joined(separator: ", ")
      throw .invalid(
        "This query requires an index that has fields [\(names)] after __name__ and Firestore "
          + "does not currently support such an index. Please try the query again with additional "
          + "ordering on those fields.")
    }
  }
}
