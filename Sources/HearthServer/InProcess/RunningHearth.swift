import HearthSettings
import HearthTime
import HearthTransport
import Logging

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Hearth {
  /// Starts a server in this process. It is ready when this returns.
  ///
  /// ```swift
  /// let hearth = try await Hearth.start()
  /// setenv("FIREBASE_AUTH_EMULATOR_HOST", hearth.authHost, 1)
  /// await hearth.stop()
  /// ```
  ///
  /// - Parameter options: how it is set up.
  /// - Returns: the server, which runs until it is stopped or nobody holds it.
  /// - Throws: an error whose description says what is wrong with the options, or which port is
  ///   taken.
  public static func start(_ options: Options = Options()) async throws -> Running {
    let logger = Logger(label: "hearth") { _ -> any LogHandler in
      guard let write = options.log else { return SwiftLogNoOpLogHandler() }
      return LineLog(write: write)
    }
    let clock: any HearthClock = options.clock.map { GivenClock(time: $0) } ?? SystemClock()
    let hearth = try Hearth(options.configuration, clock: clock, logger: logger)
    let serving = Task { try await hearth.run() }
    guard let addresses = await hearth.addresses() else {
      try await serving.value
      throw ConfigurationError("the server ended before it was ready")
    }
    return Running(addresses, project: options.project, serving: serving)
  }

  /// A server in this process, and where it is reached. A class, because the server ends with it.
  public final class Running: Sendable {
    /// The default project.
    public let project: String
    /// The host of all ports, as a client on this machine names it.
    public let host: String
    /// The port of Auth.
    public let authPort: Int
    /// The port of Firestore.
    public let firestorePort: Int
    /// The port of the console.
    public let consolePort: Int
    /// The port that takes mail over SMTP; nil for none.
    public let smtpPort: Int?
    /// The port of the send APIs of mail providers; nil for none.
    public let mailAPIPort: Int?
    private let addresses: Addresses
    private let serving: Task<Void, any Error>

    init(_ addresses: Addresses, project: String, serving: Task<Void, any Error>) {
      self.addresses = addresses
      self.project = project
      self.serving = serving
      host = addresses.reachableHost
      authPort = addresses.authPort
      firestorePort = addresses.firestorePort
      consolePort = addresses.consolePort
      smtpPort = addresses.smtpPort
      mailAPIPort = addresses.mailAPIPort
    }

    deinit { serving.cancel() }

    /// The value for `FIREBASE_AUTH_EMULATOR_HOST`.
    public var authHost: String { addresses.authority(authPort) }
    /// The value for `FIRESTORE_EMULATOR_HOST`.
    public var firestoreHost: String { addresses.authority(firestorePort) }
    /// The value for `HEARTH_CONSOLE_URL`.
    public var consoleURL: String { "http://" + addresses.authority(consolePort) }

    /// Ends the server, and returns when its ports are closed. What it held in memory is gone.
    public func stop() async {
      serving.cancel()
      _ = await serving.result
    }
  }
}

/// The time that the options give.
private struct GivenClock: HearthClock {
  /// A clock that is moved by hand may jump: it is looked at again so often.
  private static let step: Int64 = 100

  let time: @Sendable () -> Date

  var now: Timestamp { Timestamp(milliseconds: microseconds / 1000) }

  var microseconds: Int64 {
    let seconds = time().timeIntervalSince1970
    return Int64(max(-6e10, min(2.5e11, seconds)) * 1_000_000)
  }

  func wait(until deadline: Timestamp) async {
    while !Task.isCancelled, now < deadline {
      let remaining = deadline.milliseconds - now.milliseconds
      try? await Task.sleep(for: .milliseconds(min(Self.step, remaining)))
    }
  }
}

/// Gives each line to a closure.
private struct LineLog: LogHandler {
  var logLevel = Logger.Level.info
  var metadata: Logger.Metadata = [:]
  let write: @Sendable (String) -> Void

  init(write: @escaping @Sendable (String) -> Void) { self.write = write }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) { write("\(event.level): \(event.message)") }
}
