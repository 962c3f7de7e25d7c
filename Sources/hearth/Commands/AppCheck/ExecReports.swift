import HearthServer
import HearthSettings
import HearthWire

/// What `hearth exec` says at its end of the calls of the command.
struct ExecReports {
  /// Which indexes queries have missed.
  private var indexes = false
  /// Which calls App Check refused, or would refuse.
  private var appCheck = false
  /// Whether such a call fails the command.
  private var appCheckFails = false
  /// What servers understand in place of the words that only `exec` knows.
  private(set) var replaced: [HearthSettings.Configuration.Setting: String] = [:]

  init() {}

  init(_ options: ServerOptions) {
    indexes = ["enforce", "report"].contains(options[.indexes])
    if options[.indexes] == "report" { replaced[.indexes] = "warn" }
    appCheck = ["monitor", "enforce", "check"].contains(options[.appCheck])
    appCheckFails = ["enforce", "check"].contains(options[.appCheck])
    if options[.appCheck] == "check" { replaced[.appCheck] = "monitor" }
  }

  /// - Returns: the status of the whole.
  func say(of hearth: Hearth, in project: String, after status: Int32) -> Int32 {
    if indexes {
      for line in IndexWords.lines(hearth.indexReports(of: project)) { warn(line) }
    }
    guard appCheck else { return status }
    // Tests may have projects of their own.
    let report = hearth.appCheckReport
    let unverified = AppCheckWords.unverified(report)
    guard unverified > 0 else { return status }
    for line in AppCheckWords.lines(report) { warn(line) }
    return appCheckFails && status == 0 ? 1 : status
  }
}
