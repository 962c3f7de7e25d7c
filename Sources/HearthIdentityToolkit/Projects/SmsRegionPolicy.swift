import HearthErrors
import HearthWire

/// `smsRegionConfig` of a configuration: `allowByDefault` or `allowlistOnly`, never both.
enum SmsRegionPolicy {
  private static let member = "smsRegionConfig"

  /// - Throws: `INVALID_ARGUMENT` where both policies are there.
  static func check(_ body: JSONObject) throws(APIError) {
    let policies = body[member]?.object?.keys ?? []
    guard policies.count > 1 else { return }
    throw .secondOfOneof("sms_region_policy", field: policies[1], at: "config.sms_region_config")
  }

  /// The configuration without the policy that the masked update has replaced.
  static func settled(
    _ config: JSONObject, after mask: FieldMask, of update: JSONObject
  ) -> JSONObject {
    guard mask.paths.contains(where: { $0.first == member }),
      let policy = update[member]?.object?.keys.first,
      var stored = config[member]?.object
    else { return config }
    for other in stored.keys where other != policy { stored[other] = nil }
    var settled = config
    settled[member] = .object(stored)
    return settled
  }
}
