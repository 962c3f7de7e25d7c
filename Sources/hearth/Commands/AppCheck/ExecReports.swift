import HearthServer
import HearthWire

/// What `hearth exec` says at its end of the calls of the command.
struct ExecReports {
  /// Which indexes queries have missed.
  private var indexes = false
  /// Which calls App Check refused, or would refuse.
  private var appCheck = false
  /// Whether such a call fails the command.
  private var appCheckFails = false

  init() {}

  /// Takes the words out of the options that only `exec` knows.
  init(_ options: inout ServerOptions) {
    indexes = ["enforce", "report"].contains(options.firestore.indexes)
    if options.firestore.indexes == "report" { options.firestore.indexes = "warn" }
    appCheck = ["monitor", "enforce", "check"].contains(options.general.appCheck)
    appCheckFails = ["enforce", "check"].contains(options.general.appCheck)
    if options.general.appCheck == "check" { options.general.appCheck = "monitor" }
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
