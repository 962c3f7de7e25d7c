/// The modules of a code while they are placed.
struct QRMatrix {
  let size: Int
  private(set) var dark: [Bool]
  /// Those of patterns, which have no data.
  private var isFixed: [Bool]

  init(_ version: QRVersion, level: QRCode.Level, mask: Int, codewords: [UInt8]) {
    size = version.size
    dark = [Bool](repeating: false, count: size * size)
    isFixed = dark
    placePatterns(version)
    placeFormat(level, mask: mask)
    placeVersion(version)
    place(codewords)
    apply(mask)
  }

  private mutating func fix(_ x: Int, y: Int, value: Bool) {
    guard (0..<size).contains(x), (0..<size).contains(y) else { return }
    dark[y * size + x] = value
    isFixed[y * size + x] = true
  }

  // MARK: Patterns

  private mutating func placePatterns(_ version: QRVersion) {
    for index in 0..<size {
      fix(6, y: index, value: index.isMultiple(of: 2))
      fix(index, y: 6, value: index.isMultiple(of: 2))
    }
    for (x, y) in [(3, 3), (size - 4, 3), (3, size - 4)] { placeFinder(x, y) }
    let centres = version.alignment
    guard let first = centres.first, let last = centres.last else { return }
    for x in centres {
      for y in centres {
        // Finders are there.
        if (x, y) == (first, first) || (x, y) == (first, last) || (x, y) == (last, first) {
          continue
        }
        placeAlignment(x, y)
      }
    }
  }

  /// With the light modules around it.
  private mutating func placeFinder(_ x: Int, _ y: Int) {
    for down in -4...4 {
      for right in -4...4 {
        let distance = max(abs(down), abs(right))
        fix(x + right, y: y + down, value: distance != 2 && distance != 4)
      }
    }
  }

  private mutating func placeAlignment(_ x: Int, _ y: Int) {
    for down in -2...2 {
      for right in -2...2 { fix(x + right, y: y + down, value: max(abs(down), abs(right)) != 1) }
    }
  }

  // MARK: Format and version

  /// Level and mask with their error correction, twice.
  private mutating func placeFormat(_ level: QRCode.Level, mask: Int) {
    let data = level.bits << 3 | mask
    let bits = (data << 10 | Self.remainder(of: data, by: 0x537, degree: 10)) ^ 0x5412
    func isSet(_ index: Int) -> Bool { bits >> index & 1 == 1 }
    for index in 0...5 { fix(8, y: index, value: isSet(index)) }
    fix(8, y: 7, value: isSet(6))
    fix(8, y: 8, value: isSet(7))
    fix(7, y: 8, value: isSet(8))
    for index in 9..<15 { fix(14 - index, y: 8, value: isSet(index)) }
    for index in 0..<8 { fix(size - 1 - index, y: 8, value: isSet(index)) }
    for index in 8..<15 { fix(8, y: size - 15 + index, value: isSet(index)) }
    fix(8, y: size - 8, value: true)
  }

  private mutating func placeVersion(_ version: QRVersion) {
    guard version.number >= 7 else { return }
    let number = version.number
    let bits = number << 12 | Self.remainder(of: number, by: 0x1F25, degree: 12)
    for index in 0..<18 {
      let value = bits >> index & 1 == 1
      fix(size - 11 + index % 3, y: index / 3, value: value)
      fix(index / 3, y: size - 11 + index % 3, value: value)
    }
  }

  private static func remainder(of value: Int, by divisor: Int, degree: Int) -> Int {
    (0..<degree).reduce(value) { rest, _ in
      rest << 1 ^ (rest >> (degree - 1)) * divisor
    }
  }

  // MARK: Data

  /// In pairs of columns from the right, up and down by turns.
  private mutating func place(_ codewords: [UInt8]) {
    var index = 0
    var isUpwards = true
    var right = size - 1
    while right > 0 {
      if right == 6 { right = 5 }
      for step in 0..<size {
        let y = isUpwards ? size - 1 - step : step
        for x in [right, right - 1] where !isFixed[y * size + x] && index < codewords.count * 8 {
          dark[y * size + x] = codewords[index / 8] >> UInt8(7 - index % 8) & 1 == 1
          index += 1
        }
      }
      isUpwards.toggle()
      right -= 2
    }
  }

  private mutating func apply(_ mask: Int) {
    for y in 0..<size {
      for x in 0..<size where !isFixed[y * size + x] && Self.inverts(mask, x: x, y: y) {
        dark[y * size + x].toggle()
      }
    }
  }

  private static func inverts(_ mask: Int, x: Int, y: Int) -> Bool {
    switch mask {
    case 0: (x + y) % 2 == 0
    case 1: y % 2 == 0
    case 2: x % 3 == 0
    case 3: (x + y) % 3 == 0
    case 4: (x / 3 + y / 2) % 2 == 0
    case 5: x * y % 2 + x * y % 3 == 0
    case 6: (x * y % 2 + x * y % 3) % 2 == 0
    default: ((x + y) % 2 + x * y % 3) % 2 == 0
    }
  }

  // MARK: Penalty

  /// How hard the code is to read, by the four rules of the standard; the mask with the least wins.
  var penalty: Int {
    var total = 0
    for index in 0..<size {
      total += Self.penalty(of: (0..<size).map { dark[index * size + $0] })
      total += Self.penalty(of: (0..<size).map { dark[$0 * size + index] })
    }
    for y in 0..<size - 1 {
      for x in 0..<size - 1 {
        let corner = dark[y * size + x]
        let others = [
          dark[y * size + x + 1], dark[(y + 1) * size + x], dark[(y + 1) * size + x + 1],
        ]
        if others.allSatisfy({ $0 == corner }) { total += 3 }
      }
    }
    let share = dark.count(where: \.self) * 20 / dark.count
    return total + abs(share - 10) * 10
  }

  /// Runs of one colour, and what looks like a finder.
  private static func penalty(of line: [Bool]) -> Int {
    var total = 0
    var run = 0
    for index in line.indices {
      run = index > 0 && line[index] == line[index - 1] ? run + 1 : 1
      if run == 5 { total += 3 } else if run > 5 { total += 1 }
    }
    let finder = [true, false, true, true, true, false, true]
    let quiet = [false, false, false, false]
    for pattern in [finder + quiet, quiet + finder] where line.count >= pattern.count {
      for start in 0...line.count - pattern.count
      where line[start..<start + pattern.count].elementsEqual(pattern) {
        total += 40
      }
    }
    return total
  }
}
