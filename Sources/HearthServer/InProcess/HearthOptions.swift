import HearthOperations
import HearthSettings

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Hearth {
  /// How a server in this process is set up: in memory and at free ports, unless it says otherwise.
  public struct Options: Sendable {
    /// The initial values of the switches of projects.
    public enum Profile: String, Sendable {
      /// As the official emulator.
      case emulator
      /// As production.
      case production
    }

    /// Firestore security rules.
    public enum Rules: Sendable {
      /// The text of the rules.
      case text(String)
      /// A file, which is read again when it changes.
      case file(String)
    }

    /// The default project.
    public var project = Configuration.defaultProject
    /// The address to listen on.
    public var host = "127.0.0.1"
    /// The port of Auth; 0 for a free one, as with the other ports.
    public var authPort = 0
    /// The port of Firestore.
    public var firestorePort = 0
    /// The port of the console.
    public var consolePort = 0
    /// The port that takes mail over SMTP; nil for none.
    public var smtpPort: Int?
    /// The port of the send APIs of mail providers; nil for none.
    public var mailAPIPort: Int?
    /// The initial values of the switches of projects.
    public var profile = Profile.emulator
    /// The rules of Firestore; nil leaves it open.
    public var rules: Rules?
    /// Files of seeds for the default project.
    public var seeds: [String] = []
    /// Definitions of dialects.
    public var dialects: [String] = []
    /// The directory for the database and the keys; nil for memory.
    public var dataDirectory: String?
    /// The time of the server, asked on any thread; nil for that of the machine. Each project can move
    /// its own clock.
    public var clock: (@Sendable () -> Date)?
    /// Gets each line of the log, on any thread; nil for no log.
    public var log: (@Sendable (String) -> Void)?

    /// In memory, at free ports, without rules.
    public init() {}
  }
}

extension Hearth.Options {
  var configuration: Configuration {
    var configuration = Configuration.ephemeral
    configuration.project = project
    configuration.host = host
    configuration.authPort = authPort
    configuration.firestorePort = firestorePort
    configuration.consolePort = consolePort
    configuration.consoleMayMove = false
    configuration.smtpPort = smtpPort
    configuration.mailAPIPort = mailAPIPort
    configuration.profile = profile == .production ? .production : .emulator
    configuration.seedPaths = seeds
    configuration.dialectPaths = dialects
    configuration.dataDirectory = dataDirectory
    configuration.singleProjectMode = .noWarning
    switch rules {
    case .text(let text)?: configuration.rulesText = text
    case .file(let path)?: configuration.rulesPath = path
    case nil: break
    }
    return configuration
  }
}
