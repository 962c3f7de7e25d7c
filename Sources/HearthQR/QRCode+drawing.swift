extension QRCode {
  /// Light modules around the code, without which readers do not find it.
  private static let margin = 4

  /// Lines for a terminal: black on white, two rows of modules in a line.
  package var terminalLines: [String] {
    let range = -Self.margin..<size + Self.margin
    return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { y in
      let blocks = range.map { x in
        switch (isDark(x, y), isDark(x, y + 1)) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
      }.joined()
      return "\u{1B}[38;5;16;48;5;231m\(blocks)\u{1B}[0m"
    }
  }

  /// A picture for a page.
  package var svg: String {
    let side = size + 2 * Self.margin
    var path = ""
    for y in 0..<size {
      for x in 0..<size where isDark(x, y) {
        path += "M\(x + Self.margin) \(y + Self.margin)h1v1h-1z"
      }
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(side) \(side)" width="\(side * 5)" \
      height="\(side * 5)" shape-rendering="crispEdges" role="img" aria-label="QR code">\
      <path fill="#fff" d="M0 0h\(side)v\(side)h-\(side)z"/><path fill="#000" d="\(path)"/></svg>
      """
  }
}
