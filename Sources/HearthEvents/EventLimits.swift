/// What events may take. Beyond these bounds they are dropped: a write neither fails nor waits
/// because nobody takes its event.
package enum EventLimits {
  /// Bytes that wait to be looked at, and as many that wait for each function and each webhook.
  package static let bytes = 32 << 20
  /// Bytes that wait for all functions, and as many for all webhooks.
  static let bytesOfAll = 128 << 20
  /// Deliveries that are under way at once, for functions and for webhooks each.
  package static let atOnce = 100
  /// Those of one function, and those of one webhook: one that is slow must not hold up the others.
  static let atOnceOfFunction = 50
  static let atOnceOfWebhook = 10
  /// How long a function may take to answer. It is not stopped by that.
  static let functionTime = Duration.seconds(20)
  static let webhookTime = Duration.seconds(10)
  /// With the first one. The tries of functions are a setting.
  static let webhookTries = 3
  /// How long a pause waits for what is under way.
  static let drainTime = Duration.seconds(60)
  /// Triggers of all projects together.
  package static let triggers = 10_000
  /// Failing addresses that are remembered, so that the log names each once.
  package static let failing = 1000
}
