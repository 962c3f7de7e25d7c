import Testing

@testable import HearthServer

@Suite struct `The table of settings` {
  private static let withValue = Configuration.Setting.allCases.filter {
    $0.text.standard.map { !$0.contains(" ") } ?? false
  }

  @Test(arguments: withValue)
  func `has the defaults of the configuration`(_ setting: Configuration.Setting) throws {
    let standard = try #require(setting.text.standard)
    var configuration = Configuration()
    try configuration.apply(
      Configuration.Settings([setting: [standard]]) { "--" + $0.flag })
    // A port that is named does not move, whatever its number.
    configuration.consoleMayMove = true
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
        console; exec takes a free one; another one where the default is taken |
        """))
  }
}
