import CHearthBuild

/// The arguments of the program, without its name.
enum MainArguments {
  /// As main has got them, also where /proc is missing.
  static var all: [String] {
    let count = hearth_argument_count()
    guard count > 0 else { return Array(CommandLine.arguments.dropFirst()) }
    return (1..<max(1, count)).compactMap { index in
      hearth_argument(index).map { String(cString: $0) }
    }
  }
}
