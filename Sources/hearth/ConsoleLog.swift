import Foundation
import Logging

/// Plain lines, as people and scripts read them.
struct ConsoleLog: LogHandler {
  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]
  let output: FileHandle

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let mark =
      switch event.level {
      case .trace, .debug: "·"
      case .info, .notice: "i"
      case .warning: "⚠"
      case .error, .critical: "✖"
      }
    write("\(mark)  \(event.message)")
  }

  /// A reader who has gone away is no reason to stop serving.
  func write(_ line: String) { try? output.write(contentsOf: Data((line + "\n").utf8)) }
}
