import FirestoreProtos
import Foundation
import HearthCore
import SwiftProtobuf

/// The documents whose vectors are nearest to a given one.
struct NearestNeighbours: Sendable {
  private enum Measure { case euclidean, cosine, dotProduct }

  private let field: FieldPath
  private let wanted: [Double]
  private let measure: Measure
  private let limit: Int
  private let distanceField: FieldPath?
  private let threshold: Double?

  init(_ message: StructuredQuery.FindNearest) throws(APIError) {
    field = try FieldPath(message.vectorField.fieldPath)
    guard let vector = message.queryVector.vector else {
      throw .invalid("FindNearest needs a vector to compare with.")
    }
    wanted = vector.compactMap(\.number)
    guard !wanted.isEmpty, wanted.count == vector.count, wanted.count <= 2048 else {
      throw .invalid("A vector must hold 1 to 2048 numbers.")
    }
    switch message.distanceMeasure {
    case .euclidean: measure = .euclidean
    case .cosine: measure = .cosine
    case .dotProduct: measure = .dotProduct
    default: throw .invalid("FindNearest needs a distance measure.")
    }
    guard message.hasLimit, (1...1000).contains(message.limit.value) else {
      throw .invalid("FindNearest limit must be within 1 and 1000.")
    }
    limit = Int(message.limit.value)
    distanceField =
      message.distanceResultField.isEmpty ? nil : try FieldPath(message.distanceResultField)
    threshold = message.hasDistanceThreshold ? message.distanceThreshold.value : nil
  }

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
    found.sort { measure == .dotProduct ? $0.distance > $1.distance : $0.distance < $1.distance }
    return found.prefix(limit).map { document, distance in
      guard let distanceField else { return document }
      var document = document
      document.fields.set(.double(distance), at: distanceField)
      return document
    }
  }

  private func distance(to vector: [Double]) -> Double {
    let pairs = zip(wanted, vector)
    switch measure {
    case .euclidean: return pairs.reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
    case .dotProduct: return pairs.reduce(0) { $0 + $1.0 * $1.1 }
    case .cosine:
      let product = pairs.reduce(0) { $0 + $1.0 * $1.1 }
      let lengths = [wanted, vector].map { $0.reduce(0) { $0 + $1 * $1 }.squareRoot() }
      let norm = lengths[0] * lengths[1]
      return norm == 0 ? 1 : 1 - product / norm
    }
  }
}
