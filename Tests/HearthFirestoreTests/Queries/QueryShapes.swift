import HearthErrors
import HearthFirestore
import HearthFirestoreProtos
import SwiftProtobuf
import Testing

extension StructuredQuery {
  func starting(at values: Value..., before: Bool = false) -> StructuredQuery {
    var query = self
    query.startAt.values = values
    query.startAt.before = before
    return query
  }

  func ending(at values: Value..., before: Bool = false) -> StructuredQuery {
    var query = self
    query.endAt.values = values
    query.endAt.before = before
    return query
  }

  func showing(_ field: String) -> StructuredQuery {
    var query = self
    query.select.fields = [.with { $0.fieldPath = field }]
    return query
  }

  func skipping(_ count: Int32) -> StructuredQuery {
    var query = self
    query.offset = count
    return query
  }

  func nearest(
    _ vector: Value = .vector([.float(1), .float(0)]),
    measure: FindNearest.DistanceMeasure = .cosine,
    limit: Int32 = 10, threshold: Double? = nil, result: String = "d"
  ) -> StructuredQuery {
    var query = self
    query.findNearest.vectorField.fieldPath = "v"
    query.findNearest.queryVector = vector
    query.findNearest.distanceMeasure = measure
    query.findNearest.limit = .with { $0.value = limit }
    query.findNearest.distanceResultField = result
    if let threshold { query.findNearest.distanceThreshold = .with { $0.value = threshold } }
    return query
  }
}

extension Aggregation {
  static func counting(upTo limit: Int64? = nil, as alias: String = "") -> Aggregation {
    .with {
      $0.alias = alias
      $0.count = .init()
      if let limit { $0.count.upTo = .with { $0.value = limit } }
    }
  }

  static func summing(_ field: String) -> Aggregation { .with { $0.sum.field.fieldPath = field } }
}

extension Refused {
  func expect(_ run: () async throws -> Void) async {
    let error = await #expect(throws: APIError.self) { try await run() }
    #expect(error?.code.row.status == status)
    #expect(error?.message.contains(message) ?? false, "\(error?.message ?? "")")
  }
}
