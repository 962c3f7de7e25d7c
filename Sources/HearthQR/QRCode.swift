/// A QR code (ISO/IEC 18004) of up to 271 bytes: byte mode, versions 1 to 10.
package struct QRCode: Sendable, Equatable {
  /// How much of the code may be unreadable: about 7 and 15 percent.
  package enum Level: Sendable, CaseIterable {
    case low, medium

    /// As the code itself names it.
    var bits: Int {
      switch self {
      case .low: 0b01
      case .medium: 0b00
      }
    }
  }

  /// Modules at each side.
  package let size: Int
  /// Row by row; true is dark.
  private let modules: [Bool]

  /// Nil for a text that is too long.
  package init?(_ text: String, level: Level = .low) {
    let bytes = Array(text.utf8)
    guard
      let version = QRVersion.all.first(where: { $0.capacity(level) >= bytes.count })
    else { return nil }
    let codewords = QRCodewords(bytes, version: version, level: level).interleaved
    let candidates = (0..<8).map { mask in
      QRMatrix(version, level: level, mask: mask, codewords: codewords)
    }
    let best = candidates.map { ($0, $0.penalty) }.min { $0.1 < $1.1 }
    guard let matrix = best?.0 else { return nil }
    size = matrix.size
    modules = matrix.dark
  }

  package func isDark(_ x: Int, _ y: Int) -> Bool {
    (0..<size).contains(x) && (0..<size).contains(y) && modules[y * size + x]
  }
}

/// The size of a code, and how its codewords are divided.
struct QRVersion: Sendable {
  struct Blocks: Sendable {
    let count: Int
    /// Codewords of error correction in each block.
    let correction: Int
  }

  let number: Int
  /// All codewords, of data and of error correction.
  let codewords: Int
  let low: Blocks
  let medium: Blocks
  /// Where alignment patterns have their centres, in both directions.
  let alignment: [Int]

  var size: Int { 17 + 4 * number }
  /// Bits of the number of bytes.
  var countBits: Int { number < 10 ? 8 : 16 }

  func blocks(_ level: QRCode.Level) -> Blocks {
    switch level {
    case .low: low
    case .medium: medium
    }
  }

  func dataCodewords(_ level: QRCode.Level) -> Int {
    codewords - blocks(level).count * blocks(level).correction
  }

  /// Bytes of text.
  func capacity(_ level: QRCode.Level) -> Int {
    (dataCodewords(level) * 8 - 4 - countBits) / 8
  }

  private init(
    _ number: Int, codewords: Int, low: (Int, Int), medium: (Int, Int), alignment: [Int]
  ) {
    self.number = number
    self.codewords = codewords
    self.low = Blocks(count: low.0, correction: low.1)
    self.medium = Blocks(count: medium.0, correction: medium.1)
    self.alignment = alignment
  }

  /// Tables 1, 9 and E.1 of the standard.
  static let all: [QRVersion] = [
    QRVersion(1, codewords: 26, low: (1, 7), medium: (1, 10), alignment: []),
    QRVersion(2, codewords: 44, low: (1, 10), medium: (1, 16), alignment: [6, 18]),
    QRVersion(3, codewords: 70, low: (1, 15), medium: (1, 26), alignment: [6, 22]),
    QRVersion(4, codewords: 100, low: (1, 20), medium: (2, 18), alignment: [6, 26]),
    QRVersion(5, codewords: 134, low: (1, 26), medium: (2, 24), alignment: [6, 30]),
    QRVersion(6, codewords: 172, low: (2, 18), medium: (4, 16), alignment: [6, 34]),
    QRVersion(7, codewords: 196, low: (2, 20), medium: (4, 18), alignment: [6, 22, 38]),
    QRVersion(8, codewords: 242, low: (2, 24), medium: (4, 22), alignment: [6, 24, 42]),
    QRVersion(9, codewords: 292, low: (2, 30), medium: (5, 22), alignment: [6, 26, 46]),
    QRVersion(10, codewords: 346, low: (4, 18), medium: (5, 26), alignment: [6, 28, 50]),
  ]
}
