import HearthCrypto
import HearthErrors
import HearthTestSupport
import HearthWire
import Testing

@testable import HearthPush

struct MessageFuzzTests {
  private static let names = [
    "message", "token", "topic", "data", "android", "notification", "apns", "payload", "aps",
    "webpush", "fcmOptions", "ttl", "color", "headers", "light_settings", "validate_only",
  ]

  @Test func `Every message is taken or refused`() throws {
    var random = SplitMix(seed: 31)
    var taken = 0
    for _ in 0..<5_000 {
      let message = Self.value(&random, depth: 0).object ?? JSONObject()
      let body = JSONObject(["message": .object(message)])
      do throws(APIError) {
        let read = try MessageReader.read(body)
        _ = try PushMessage(read["message"]?.object ?? JSONObject())
        taken += 1
      } catch {
        #expect(error.httpStatus == 400)
      }
    }
    #expect(taken > 0)
  }

  private static func value(_ random: inout SplitMix, depth: Int) -> JSON {
    let choice = depth == 0 ? 0 : random.next() % (depth < 4 ? 7 : 5)
    switch choice {
    case 1: return .int(Int64(truncatingIfNeeded: random.next()))
    case 2: return .null
    case 3: return .bool(true)
    case 4: return .string(["", "news", "3s", "#ff0000", "'a' in topics"][Int(random.next() % 5)])
    case 5: return .array([value(&random, depth: depth + 1)])
    default:
      var object = JSONObject()
      for _ in 0..<Int(random.next() % 4) {
        object[names[Int(random.next() % UInt64(names.count))]] = value(
          &random, depth: depth + 1)
      }
      if depth == 0, random.next() % 3 == 0 { object = JSONObject(["topic": "news"]) }
      return .object(object)
    }
  }
}
