import ArgumentParser
import HearthServer
import HearthSettings

/// `hearth settings`: the table of settings, of which the guide's page is made.
struct SettingsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "settings", abstract: "List every setting of the server.", shouldDisplay: false)

  @Flag(help: "Print the table as Markdown.")
  var markdown = false

  func run() {
    if markdown {
      print(Configuration.settingsTable)
      return
    }
    for setting in Configuration.Setting.allCases {
      print("--\(setting.flag)\t\(setting.environmentName)\t\(setting.row.help)")
    }
  }
}
