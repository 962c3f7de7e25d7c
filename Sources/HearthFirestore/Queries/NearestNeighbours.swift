import HearthErrors
import HearthFirestoreProtos
import SwiftProtobuf

/// The documents whose vectors are nearest to a given one.
struct NearestNeighbours: Sendable {
  private enum Measure { case euclidean, cosine, dotProduct }

  let field: FieldPath
  private let wanted: [Double]
  private let measure: Measure
  private let limit: Int
  private let distanceField: FieldPath?
  private let threshold: Double?

  init(_ query: StructuredQuery) throws(APIError) {
    let message = query.findNearest
    guard !query.hasLimit else {
      throw .invalid("A query limit cannot be used with FindNearest")
    }
    guard query.offset == 0 else {
      throw .invalid("A query offset cannot be used with FindNearest")
    }
    guard !query.hasStartAt, !query.hasEndAt else {
      throw .invalid("A cursor cannot be used with FindNearest")
    }
    field = try FieldPath(message.vectorField.fieldPath)
    guard case .mapValue(let map)? = message.queryVector.valueType, map.fields["__type__"] != nil
    else { throw .invalid("Query Value must be of type vector.") }
    try ValueCheck.checkVector(map.fields)
    wanted = (message.queryVector.vector ?? []).map(\.doubleValue)
    switch message.distanceMeasure {
    case .euclidean: measure = .euclidean
    case .cosine: measure = .cosine
    case .dotProduct: measure = .dotProduct
    default: throw .invalid("Unknown Distance Measure.")
    }
    guard message.hasLimit, (1...1000).contains(message.limit.value) else {
      throw .invalid("FindNearest.limit must be a positive integer of no more than 1000")
    }
    limit = Int(message.limit.value)
    let name = message.distanceResultField
    try FieldPath.checkName(name, of: "distanceResultField.property")
    // A name and not a path: `a.b` is one field.
    distanceField = name.isEmpty ? nil : FieldPath(segments: [name])
    threshold = message.hasDistanceThreshold ? message.distanceThreshold.value : nil
    guard threshold?.isFinite ?? true else {
      throw .invalid("distanceThreshold must be a finite number.")
    }
  }

  /// How many numbers the given vector has.
  var dimension: Int { wanted.count }

  /// The nearest first; for a dot product that is the largest.
  func pick(from documents: [StoredDocument]) -> [StoredDocument] {
    var found: [(document: StoredDocument, distance: Double)] = []
    for document in documents {
      guard let vector = document.fields.value(at: field)?.vector?.compactMap(\.number),
        vector.count == wanted.count
      else { continue }
      let distance = distance(to: vector)
      if let threshold {
        guard measure == .dotProduct ? distance >= threshold : distance <= threshold else {
          continue
        }
      }
      found.append((document, distance))
    }
    found.sort { precedes($0.distance, $1.distance) }
    return found.prefix(limit).map { document, distance in
      guard let distanceField else { return document }
      var document = document
      document.fields.set(.double(distance), at: distanceField)
      return document
    }
  }

  /// What has no distance comes last.
  private func precedes(_ left: Double, _ right: Double) -> Bool {
    guard !left.isNaN, !right.isNaN else { return !left.isNaN && right.isNaN }
    return measure == .dotProduct ? left > right : left < right
  }

  private func distance(to vector: [Double]) -> Double {
    switch measure {
    case .euclidean:
      zip(wanted, vector).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
    case .dotProduct: Self.product(wanted, vector)
    case .cosine: 1 - cosine(to: vector)
    }
  }

  /// NaN for a vector without a direction. Of equal vectors it is exactly one, because the root of a
  /// square is exact.
  private func cosine(to vector: [Double]) -> Double {
    let squares = (Self.product(wanted, wanted), Self.product(vector, vector))
    var lengths = (squares.0 * squares.1).squareRoot()
    if !lengths.isNormal { lengths = squares.0.squareRoot() * squares.1.squareRoot() }
    return lengths > 0 ? Self.product(wanted, vector) / lengths : .nan
  }

  private static func product(_ left: [Double], _ right: [Double]) -> Double {
    zip(left, right).reduce(0) { $0 + $1.0 * $1.1 }
  }
}
