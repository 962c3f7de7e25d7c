import Testing

@testable import HearthQR

/// The vectors were made with python-qrcode 8, in byte mode.
@Suite struct `A QR code` {
  private static let text = String(
    repeating: "http://192.168.1.5:4000/setup?name=Hearth&", count: 8)

  private func matrix(
    _ text: String, number: Int, level: QRCode.Level, mask: Int
  ) -> QRMatrix {
    let version = QRVersion.all[number - 1]
    let codewords = QRCodewords(Array(text.utf8), version: version, level: level).interleaved
    return QRMatrix(version, level: level, mask: mask, codewords: codewords)
  }

  private func digest(_ matrix: QRMatrix) -> Int {
    matrix.dark.reduce(0) { ($0 * 31 + ($1 ? 1 : 0)) % 1_000_000_007 }
  }

  @Test func `has the modules of the standard`() {
    let matrix = matrix("hearth", number: 1, level: .low, mask: 2)
    let rows = (0..<21).map { y in
      (0..<21).map { matrix.dark[y * 21 + $0] ? "#" : "." }.joined()
    }
    #expect(
      rows == [
        "#######..#..#.#######", "#.....#.#..#..#.....#", "#.###.#..#....#.###.#",
        "#.###.#.#..#..#.###.#", "#.###.#...###.#.###.#", "#.....#.###.#.#.....#",
        "#######.#.#.#.#######", "..........###........", "#####.####..##.#.#.#.",
        "##...#.#....#..#.##.#", "...##.##...#.#..####.", "....#...#.#....####..",
        "..#..###..##.#..#...#", "........#.######..#.#", "#######.#.#.#.##.###.",
        "#.....#..#######.##.#", "#.###.#.#...#..###.#.", "#.###.#.##..#..##.#..",
        "#.###.#.#.##.#.......", "#.....#.##.....#.##..", "#######.#.##.#...#.#.",
      ])
  }

  @Test(arguments: [
    (
      QRCode.Level.low, [17, 32, 53, 78, 106, 134, 154, 192, 230, 271],
      [
        997_693_899, 948_364_145, 407_468_549, 588_658_074, 612_246_452, 42_392_649, 542_134_187,
        930_181_770, 990_738_657, 205_869_076,
      ]
    ),
    (
      QRCode.Level.medium, [14, 26, 42, 62, 84, 106, 122, 152, 180, 213],
      [
        737_717_022, 938_107_665, 938_790_492, 983_084_629, 461_948_603, 874_328_017, 537_212_440,
        180_341_437, 673_516_782, 555_844_588,
      ]
    ),
  ])
  func `is the same in each version when it is full`(
    level: QRCode.Level, capacities: [Int], digests: [Int]
  ) {
    #expect(QRVersion.all.map { $0.capacity(level) } == capacities)
    for (index, capacity) in capacities.enumerated() {
      let number = index + 1
      let text = String(Self.text.prefix(capacity))
      #expect(
        digest(matrix(text, number: number, level: level, mask: number % 8)) == digests[index])
    }
  }

  @Test func `is the same with each mask`() {
    let digests = (0..<8).map {
      digest(matrix("http://192.168.1.5:4000/setup", number: 3, level: .low, mask: $0))
    }
    #expect(
      digests == [
        841_004_551, 714_113_630, 244_484_246, 836_676_769, 8_420_407, 470_630_548, 542_928_447,
        74_142_199,
      ])
  }

  @Test func `takes the smallest version, and no text that is too long`() {
    #expect(QRCode("")?.size == 21)
    #expect(QRCode("http://192.168.1.5:4000/setup")?.size == 25)
    #expect(QRCode(String(repeating: "x", count: 271))?.size == 57)
    #expect(QRCode(String(repeating: "x", count: 272)) == nil)
    #expect(QRCode(String(repeating: "é", count: 107), level: .medium) == nil)
  }

  @Test func `is drawn with a margin`() {
    let code = QRCode("hearth")
    let lines = code?.terminalLines ?? []
    #expect(lines.count == 15)
    #expect(lines.allSatisfy { $0.hasSuffix("\u{1B}[0m") })
    #expect(code?.svg.contains("viewBox=\"0 0 29 29\"") == true)
  }
}
