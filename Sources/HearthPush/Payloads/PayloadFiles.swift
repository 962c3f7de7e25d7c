package import HearthErrors
import HearthMailbox
package import HearthOperations
import HearthPages
import HearthWire

/// A captured message as a file or text for another tool: `apns` for `xcrun simctl push`, `adb` for an
/// Android emulator, `webpush` for a browser's service worker.
package enum GetPayload: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let name = request.path["messageId"] ?? ""
    guard let id = Int64(name), let message = try Mailbox(in: project).message(id),
      message.type == PushNote.type, let payload = message.details?["payload"]
    else {
      throw APIError(.notFound, detail: "no push message \(name) in project \(project.projectId)")
    }
    let form = request.path["form"] ?? ""
    switch form {
    case "apns":
      var file = payload["apns"]?["payload"]?.object ?? JSONObject()
      if let bundle = request.query["bundle"] { file["Simulator Target Bundle"] = .string(bundle) }
      return .answer(
        Answer(
          status: 200, body: .prettyJSON(file),
          headers: [("Content-Disposition", "attachment; filename=\"message-\(id).apns\"")]))
    case "webpush": return .json(payload["webpush"]?.object ?? JSONObject())
    case "adb":
      return .json(AndroidIntent.json(payload, package: request.query["package"] ?? "PACKAGE"))
    default:
      throw APIError(.notFound, detail: "a push message has the forms apns, adb and webpush")
    }
  }
}

/// The broadcast by which an Android emulator gets a message without Google's servers.
enum AndroidIntent {
  private static let action = "com.google.android.c2dm.intent.RECEIVE"
  private static let receiver = "com.google.firebase.iid.FirebaseInstanceIdReceiver"

  static func json(_ payload: JSON, package app: String) -> JSONObject {
    var extras = JSONObject()
    let android = payload["android"]
    for member in android?["data"]?.object?.members ?? [] { extras[member.key] = member.value }
    if let notification = android?["notification"]?.object {
      extras["gcm.n.e"] = "1"
      for member in notification.members {
        guard let text = member.value.string else { continue }
        extras["gcm.notification.\(member.key)"] = .string(text)
      }
    }
    extras["google.message_id"] = payload["apns"]?["payload"]?["gcm.message_id"]
    extras["from"] = payload["webpush"]?["from"]
    var command = ["am", "broadcast", "-a", action, "-n", "\(app)/\(receiver)"]
    for member in extras.members {
      command += ["--es", member.key, member.value.string ?? member.value.text]
    }
    return JSONObject([
      "action": .string(action), "component": .string("\(app)/\(receiver)"),
      "extras": .object(extras),
      "command": .string(
        "adb shell " + quoted(command.map(quoted).joined(separator: " "))),
    ])
  }

  /// As one word of a shell.
  private static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-_./:".utf8.contains($0) }
    return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }
}
