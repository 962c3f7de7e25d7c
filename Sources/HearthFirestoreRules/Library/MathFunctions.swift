#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Builtin {
  static let mathFunctions: [Builtin] = [
    Builtin("math.abs", arity: 1) { try absolute($0[0]) },
    Builtin("math.ceil", arity: 1) { .float(try $0[0].number().rounded(.up)) },
    Builtin("math.floor", arity: 1) { .float(try $0[0].number().rounded(.down)) },
    Builtin("math.round", arity: 1) { .int(try rounded($0[0])) },
    Builtin("math.isInfinite", arity: 1) { .bool(try $0[0].number().isInfinite) },
    Builtin("math.isNaN", arity: 1) { .bool(try $0[0].number().isNaN) },
    Builtin("math.pow", arity: 2) { .float(pow(try $0[0].number(), try $0[1].number())) },
    Builtin("math.sqrt", arity: 1) { .float(try $0[0].number().squareRoot()) },
  ]

  static let latlngFunctions: [Builtin] = [
    Builtin("latlng.value", arity: 2) {
      let (latitude, longitude) = (try $0[0].number(), try $0[1].number())
      guard abs(latitude) <= 90, abs(longitude) <= 180 else {
        throw EvaluationError("latitude must be within 90 degrees and longitude within 180")
      }
      return .latlng(latitude: latitude, longitude: longitude)
    }
  ]

  static let latlngMethods: [Builtin] = [
    Builtin("latitude", arity: 0) { .float(try place($0[0]).latitude) },
    Builtin("longitude", arity: 0) { .float(try place($0[0]).longitude) },
    Builtin("distance", arity: 1) {
      .float(distance(from: try place($0[0]), to: try place($0[1])))
    },
  ]

  private typealias Place = (latitude: Double, longitude: Double)

  /// Of the least int it is itself, as in the official emulator.
  private static func absolute(_ value: RuleValue) throws -> RuleValue {
    guard case .int(let number) = value else { return .float(abs(try value.number())) }
    return .int(Int64(truncatingIfNeeded: number.magnitude))
  }

  /// A half goes up, also below zero. An int is rounded as the float that is nearest to it, as in the
  /// official emulator.
  private static func rounded(_ value: RuleValue) throws -> Int64 {
    let number = try value.number()
    let floor = number.rounded(.down)
    return saturated(number - floor >= 0.5 ? floor + 1 : floor)
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
