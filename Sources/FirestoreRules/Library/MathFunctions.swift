import Foundation

extension Builtin {
  static let mathFunctions: [Builtin] = [
    Builtin("math.abs", 1) { try absolute($0[0]) },
    Builtin("math.ceil", 1) { try rounded($0[0], .up) },
    Builtin("math.floor", 1) { try rounded($0[0], .down) },
    Builtin("math.round", 1) { try rounded($0[0], .toNearestOrAwayFromZero) },
    Builtin("math.isInfinite", 1) { .bool(try $0[0].number().isInfinite) },
    Builtin("math.isNaN", 1) { .bool(try $0[0].number().isNaN) },
    Builtin("math.pow", 2) { .float(pow(try $0[0].number(), try $0[1].number())) },
    Builtin("math.sqrt", 1) { .float(try $0[0].number().squareRoot()) },
  ]

  static let latlngFunctions: [Builtin] = [
    Builtin("latlng.value", 2) {
      let (latitude, longitude) = (try $0[0].number(), try $0[1].number())
      guard abs(latitude) <= 90, abs(longitude) <= 180 else {
        throw EvaluationError("there is no such place on earth")
      }
      return .latlng(latitude: latitude, longitude: longitude)
    }
  ]

  static let latlngMethods: [Builtin] = [
    Builtin("latitude", 0) { .float(try place($0[0]).latitude) },
    Builtin("longitude", 0) { .float(try place($0[0]).longitude) },
    Builtin("distance", 1) { .float(distance(from: try place($0[0]), to: try place($0[1]))) },
  ]

  private typealias Place = (latitude: Double, longitude: Double)

  private static func absolute(_ value: RuleValue) throws -> RuleValue {
    guard case .int(let number) = value else { return .float(abs(try value.number())) }
    guard number != .min else { throw EvaluationError("integer overflow") }
    return .int(abs(number))
  }

  private static func rounded(
    _ value: RuleValue, _ rule: FloatingPointRoundingRule
  ) throws -> RuleValue {
    if case .int = value { return value }
    guard let result = Int64(exactly: try value.number().rounded(rule)) else {
      throw EvaluationError("integer overflow")
    }
    return .int(result)
  }

  private static func place(_ value: RuleValue) throws -> Place {
    guard case .latlng(let latitude, let longitude) = value else {
      throw EvaluationError("latlng is expected, found \(value.type.rawValue)")
    }
    return (latitude, longitude)
  }

  /// In metres, on a sphere (haversine formula).
  private static func distance(from start: Place, to end: Place) -> Double {
    let radians = Double.pi / 180
    let height = sin((end.latitude - start.latitude) * radians / 2)
    let width = sin((end.longitude - start.longitude) * radians / 2)
    let chord =
      height * height
      + cos(start.latitude * radians) * cos(end.latitude * radians) * width * width
    return 2 * 6_371_010 * asin(min(1, chord.squareRoot()))
  }
}
