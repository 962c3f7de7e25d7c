import Testing

@testable import HearthServer
@testable import HearthSettings

@Suite struct `The table of settings` {
  private static let withValue = Configuration.Setting.allCases.filter {
    $0.row.standard.map { !$0.contains(" ") } ?? false
  }

  @Test(arguments: withValue)
  func `has the defaults of the configuration`(_ setting: Configuration.Setting) throws {
    let standard = try #require(setting.row.standard)
    var configuration = Configuration()
    try configuration.apply(
      Configuration.Settings([setting: [standard]]) { "--" + $0.flag })
    // A port that is named does not move, whatever its number.
    configuration.consoleMayMove = true
    // A project that is named counts as chosen, whatever its id.
    configuration.isProjectChosen = false
    #expect(String(describing: configuration) == String(describing: Configuration()))
  }

  @Test func `has a row for each flag`() {
    let rows = Configuration.settingsTable.split(separator: "\n").dropFirst(2)
    #expect(rows.count == Configuration.Setting.allCases.count + 1)
    for row in rows { #expect(row.split(separator: "|").count == 5, "\(row)") }
    #expect(
      rows.contains(
        """
        | `--console-port` | `HEARTH_CONSOLE_PORT` | `emulators.ui.port` | `4000` | The port of the \
        console, or none; exec takes a free one; another one where the default is taken |
        """))
  }

  @Test func `knows what every value is`() {
    for setting in Configuration.Setting.allCases {
      #expect(!setting.row.reading.kind.name.isEmpty)
      guard case .choice(let values, _) = setting.row.reading.kind else { continue }
      // What shells offer can be given.
      for value in values where !["report", "check"].contains(value) {
        var configuration = Configuration()
        #expect(throws: Never.self, "\(setting) \(value)") {
          try configuration.apply(Configuration.Settings([setting: [value]]) { $0.flag })
        }
      }
    }
  }

  @Test(arguments: [
    ("HEARTH_RULE", "unknown variable HEARTH_RULE; did you mean HEARTH_RULES?"),
    ("HEARTH_DIALECTS", "unknown variable HEARTH_DIALECTS; did you mean HEARTH_DIALECT?"),
    ("HEARTH_X", "unknown variable HEARTH_X; `hearth help serve` lists all"),
  ])
  func `tells unknown variables`(_ name: String, _ words: String) {
    let settings = Configuration.Settings(environment: [name: "1", "HEARTH_URL": "x", "HOME": "/"])
    #expect(settings.unknownNames == [words])
  }

  @Test(arguments: ["HEARTH_ALLOW_CALLS_TO", "HEARTH_ALLOW_WEBHOOKS_TO"])
  func `an earlier name still counts`(_ name: String) throws {
    let settings = Configuration.Settings(environment: [name: "a.example,b.example:81"])
    #expect(settings.unknownNames.isEmpty)
    var configuration = Configuration()
    try configuration.apply(settings)
    #expect(configuration.allowedCallHosts == ["a.example", "b.example:81"])
  }

  @Test func `reads plain flags`() throws {
    let settings = try #require(
      Configuration.Settings(plainFlags: [
        "--auth-port", "0", "--tls", "--seed", "a", "--seed=b", "--project=demo-x", "--data=",
        "--export-on-exit",
      ]))
    #expect(
      settings.values == [
        .authPort: ["0"], .tls: ["true"], .seeds: ["a", "b"], .project: ["demo-x"], .data: [""],
        .exportDirectory: [""],
      ])
    #expect(settings.source(.allowedHosts) == "--allowed-host")
  }

  /// ArgumentParser decides: what may be a mistake, what has another meaning, and what is not a
  /// setting.
  @Test(arguments: [
    ["exec"], ["--help"], ["-h"], ["--auth-port"], ["--auth-port", "--tls"], ["--tls", "true"],
    ["--data", "a", "--data", "b"], ["--unknown", "x"], ["--", "x"], ["--with-rest"],
    ["--config", "x"], ["--allow-webhooks-to", "x"],
  ])
  func `leaves other arguments to the parser`(_ arguments: [String]) {
    #expect(Configuration.Settings(plainFlags: arguments) == nil)
  }

  @Test(arguments: Configuration.Setting.allCases.filter { $0 != .exportDirectory })
  func `refuses empty values`(_ setting: Configuration.Setting) throws {
    var configuration = Configuration()
    let error = #expect(throws: ConfigurationError.self) {
      try configuration.apply(Configuration.Settings([setting: [""]]) { "--" + $0.flag })
    }
    #expect(error?.isMisuse == true)
    #expect(error?.description == "--\(setting.flag): the value is empty")
  }
}
