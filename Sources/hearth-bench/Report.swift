/// What was measured: a table, and lines beneath it.
struct Report {
  var rows: [Row] = []
  var notes: [String] = []

  static func += (report: inout Report, other: Report) {
    report.rows += other.rows
    report.notes += other.notes
  }

  func print() {
    guard !rows.isEmpty else { return }
    Row.print(rows)
    if !notes.isEmpty { Swift.print() }
    for note in notes { Swift.print(note) }
  }
}

/// One line of the table.
struct Row {
  let name: String
  let unit: String
  let value: Double
  /// Nil where nothing is promised.
  let bar: Double?
  /// Nil where the official emulator was not measured.
  var peer: Double?
  let isLessBetter: Bool
  let p99: String?
  let signing: Double?

  init(
    _ name: String, unit: String, value: Double, bar: Double? = nil, peer: Double? = nil,
    less: Bool, p99: String? = nil, signing: Double? = nil
  ) {
    self.name = name
    self.unit = unit
    self.value = value
    self.bar = bar
    self.peer = peer
    isLessBetter = less
    self.p99 = p99
    self.signing = signing
  }

  /// How a cost grows with the data.
  init(_ name: String, from small: Double, to large: Double, bar: Double) {
    self.init(name, unit: "×", value: large / small, bar: bar, less: true)
  }

  static func print(_ rows: [Row]) {
    Swift.print("| | measured | bar | official emulator | ratio to it | p99 | ratio to openssl |")
    Swift.print("|---|---|---|---|---|---|---|")
    for row in rows { Swift.print("| " + row.cells.joined(separator: " | ") + " |") }
  }

  private var cells: [String] {
    let ratio = peer.map { isLessBetter ? $0 / value : value / $0 }
    return [
      name,
      quantity(value),
      bar.map { (isLessBetter ? "≤ " : "≥ ") + quantity($0) } ?? "",
      peer.map(quantity) ?? "",
      ratio.map { Self.short($0) + "×" } ?? "",
      p99 ?? "",
      signing.map(Self.short) ?? "",
    ]
  }

  private func quantity(_ value: Double) -> String {
    "\(value < 100 ? Self.short(value) : String(Int(value))) \(unit)"
  }

  private static func short(_ value: Double) -> String {
    let digits: Double = value < 1 ? 100 : 10
    return String((value * digits).rounded() / digits)
  }
}

extension [Double] {
  /// Zero of none.
  var median: Double { isEmpty ? 0 : sorted()[count / 2] }
}

extension Double {
  /// For the lines beneath the table: a number of microseconds, or milliseconds.
  var asTime: String {
    self < 1 ? "\(Int((self * 1000).rounded())) µs" : "\((self * 100).rounded() / 100) ms"
  }
}

extension ContinuousClock.Instant {
  var millisecondsAgo: Double { (ContinuousClock.now - self) / .milliseconds(1) }
}
