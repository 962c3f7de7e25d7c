import HearthErrors
import HearthFirestoreProtos
import HearthLimits
import HearthWire
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
    else {
      let refusal = APIError.invalid("Query Value must be of type vector.")
      throw message.queryVector.valueType == nil
        ? refusal.inProduction(APIError.unsetValue.message) : refusal
    }
    try ValueCheck.checkVector(map.fields)
    wanted = (message.queryVector.vector ?? []).map(\.doubleValue)
    switch message.distanceMeasure {
    case .euclidean: measure = .euclidean
    case .cosine: measure = .cosine
    case .dotProduct: measure = .dotProduct
    default: throw .invalid("Unknown Distance Measure.")
    }
    guard message.hasLimit, (1...Limit.nearestNeighbours.value).contains(Int(message.limit.value))
    else {
      throw .invalid(Limit.nearestNeighbours.refusal())
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

  /// The vector in an index, for explain.
  var property: String { "\(field) VECTOR<\(wanted.count)>" }

  /// Whether an index of these vectors has the document.
  func hasVector(in document: EncodedDocument) -> Bool {
    document.value(at: field)?.vector?.count == wanted.count
  }

  /// Production computes no cosine to a vector without a direction.
  func checkDirections(in documents: [EncodedDocument]) throws(APIError) {
    guard measure == .cosine else { return }
    let vectors = documents.filter(hasVector).compactMap { $0.value(at: field)?.vector }
    guard
      (vectors.map { $0.map { $0.number ?? 0 } } + [wanted]).contains(where: {
        $0.allSatisfy { $0 == 0 }
      })
    else { return }
    throw APIError(
      .failedPrecondition,
      message: "Cannot compute cosine distance against a vector with a magnitude of zero."
    ).with(
      details: [
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        "reason": "COSINE_DISTANCE_ON_ZERO_VECTOR", "domain": "firestore.googleapis.com",
      ])
  }
  /// How many numbers the given vector has.
  var dimension: Int { wanted.count }

  /// The nearest first; for a dot product that is the largest.
  func pick(from documents: [EncodedDocument]) throws(APIError) -> [EncodedDocument] {
    var found: [(document: EncodedDocument, distance: Double)] = []
    for document in documents {
      guard let vector = document.value(at: field)?.vector?.compactMap(\.number),
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
    guard let distanceField else { return found.prefix(limit).map(\.document) }
    return try found.prefix(limit).map { document, distance throws(APIError) in
      var document = try document.decoded()
      document.fields.set(.double(distance), at: distanceField)
      return try EncodedDocument(document)
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
