import HearthErrors
import HearthTime
import HearthWire

/// Counts requests for a reset, within the hour and since the last one.
///
/// It counts what was asked for, with or without an account, so that refusals tell nothing.
struct RequestCounter<BackEnd: DialectBackEnd> {
  struct Refusal {
    let outcome: Outcome
    let seconds: Int64
  }

  private static var hour: Int64 { 3_600_000 }

  let definition: DialectDefinition
  let backEnd: BackEnd
  let now: Timestamp

  /// Counts the request, unless it comes too soon or is one too many.
  func refusal(of identity: DialectIdentity, from address: String) throws(APIError) -> Refusal? {
    let limits = definition.limits
    let byAccount = key("account", text: identity.text)
    let byAddress = key("address", text: address)
    let account = try times(byAccount)
    let remote = try times(byAddress)
    if let seconds = limits.secondsBetween, let last = account.last {
      let wait = last + Int64(seconds) * 1000 - now.milliseconds
      if wait > 0 { return Refusal(outcome: .tooSoon, seconds: Self.seconds(wait)) }
    }
    let tooMany =
      refusal(after: account, limits.perAccountPerHour)
      ?? refusal(after: remote, limits.perAddressPerHour)
    if let tooMany { return tooMany }
    if limits.perAccountPerHour != nil || limits.secondsBetween != nil {
      try record(byAccount, times: account)
    }
    if limits.perAddressPerHour != nil { try record(byAddress, times: remote) }
    return nil
  }

  private func refusal(after times: [Int64], _ limit: Int?) -> Refusal? {
    guard let limit, times.count >= limit else { return nil }
    let wait = times[times.count - limit] + Self.hour - now.milliseconds
    return Refusal(outcome: .tooManyRequests, seconds: Self.seconds(wait))
  }

  private func key(_ kind: String, text: String) -> DialectKey {
    let digest = SecretDigest("\(kind)\u{0}\(text)", dialect: definition.name, rows: backEnd)
    return DialectKey(dialect: definition.name, kind: .requests, key: digest.key)
  }

  /// The requests of the last hour, oldest first. A clock that was set back leaves times ahead of
  /// now, which count no more.
  private func times(_ key: DialectKey) throws(APIError) -> [Int64] {
    let start = now.milliseconds - Self.hour
    return try backEnd.row(key)?.array?.compactMap(\.integer)
      .filter { $0 > start && $0 <= now.milliseconds } ?? []
  }

  private func record(_ key: DialectKey, times: [Int64]) throws(APIError) {
    let all = times + [now.milliseconds]
    try backEnd.setRow(key, to: .array(all.map(JSON.int)), until: now + .seconds(3_600))
  }

  private static func seconds(_ milliseconds: Int64) -> Int64 { (milliseconds + 999) / 1000 }
}

extension DialectIdentity {
  var text: String {
    switch self {
    case .email(let text), .phone(let text), .id(let text): text
    }
  }
}
