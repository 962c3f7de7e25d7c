package import HearthOperations
import HearthWire

/// Whom a request to Cloud Messaging is about, as the list of messages shows it: faults can be for one
/// device.
package enum PushAddress {
  /// Nil for requests of other services, and about several devices.
  package static func of(_ request: WireRequest, operation: String) -> String? {
    guard operation.hasPrefix("fcm.") || operation.hasPrefix("iid.") else { return nil }
    if let registration = request.path["registration"] { return registration }
    guard let message = request.object("message") else { return nil }
    if let topic = message["topic"]?.string { return PushTarget.topic(topic).recipient }
    return ["token", "fid", "condition"].lazy.compactMap { message[$0]?.string }.first
  }
}
