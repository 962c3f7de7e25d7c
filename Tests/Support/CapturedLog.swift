package import Logging
import Synchronization

/// Keeps the lines that a person would see.
package final class CapturedLog: LogHandler, Sendable {
  private let kept = Mutex<[String]>([])

  package init() {}

  package var lines: [String] { kept.withLock { $0 } }
  package var logLevel: Logger.Level {
    get { .info }
    set {}
  }
  package var metadata: Logger.Metadata {
    get { [:] }
    set {}
  }

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { nil }
    set {}
  }

  package func log(event: LogEvent) { kept.withLock { $0.append("\(event.message)") } }
}
