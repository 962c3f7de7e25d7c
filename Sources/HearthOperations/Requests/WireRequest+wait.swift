package import HearthErrors
package import HearthTime
import HearthWire

extension WireRequest {
  private static let longestWait = Duration.seconds(300)

  /// How long the caller waits for what is not there yet: the parameter `wait`.
  package func wait() throws(APIError) -> WaitTime? {
    guard let text = query["wait"] else { return nil }
    guard let wait = WaitTime(text), wait.duration <= Self.longestWait else {
      throw APIError(
        .invalidArgument,
        detail: "\"wait\" must be a time of at most 5 minutes, such as 500ms, 10s or 2m")
    }
    return wait
  }
}
