/// What the rendering of one template may cost. A class, because all parts of a rendering share it.
final class HandlebarsBudget {
  /// Nodes that are rendered and rounds of loops. A mail of a shop needs some hundreds.
  static let mostSteps = 1_000_000
  /// Bytes, which a loop over a long list can make many of.
  static let mostBytes = 10 << 20
  /// Bytes of a text that are read or copied in about the time of a step.
  private static let bytesOfStep = 64

  private var steps = 0
  private var bytes = 0

  func spend(_ count: Int = 1) throws(HandlebarsError) {
    steps += count
    guard steps <= Self.mostSteps else {
      throw HandlebarsError("The template takes more than \(Self.mostSteps) steps")
    }
  }

  /// For a text that is made and not written.
  func read(_ text: String) throws(HandlebarsError) {
    try spend(text.utf8.count / Self.bytesOfStep)
  }

  func write(_ count: Int) throws(HandlebarsError) {
    bytes += count
    guard bytes <= Self.mostBytes else {
      throw HandlebarsError("The mail would be larger than \(Self.mostBytes >> 20) MB")
    }
  }
}
