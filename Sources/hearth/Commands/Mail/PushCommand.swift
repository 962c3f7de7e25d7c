import ArgumentParser
import HearthWire

/// `hearth push`: devices, and push messages for simulators and emulators.
struct PushCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "push", abstract: "Register devices for push messages; print messages for phones.",
    discussion: """
      hearth push register --platform ios --topic news --language de
      hearth push devices
      hearth push texts en.lproj/Localizable.strings res/values/strings.xml
      hearth push payload 12 --apns --bundle com.acme.app > message.apns
      xcrun simctl push booted message.apns
      """,
    subcommands: [Register.self, Devices.self, Forget.self, Texts.self, Payload.self])

  /// Registers a device, or changes one.
  struct Register: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "register",
      abstract: "Register a device, or change the one with the token; print its token.",
      usage: "hearth push register [<options>]")

    @Option(help: "Its token. (default: a new one)")
    var token: String?

    @Option(help: "android, ios or web.")
    var platform: String?

    @Option(
      help: """
        What a send to it ends with: registered, unregistered, senderIdMismatch, quotaExceeded, \
        thirdPartyAuthError, invalidArgument, unavailable, internalError.
        """)
    var state: String?

    @Option(help: "A topic that it subscribes to; may be repeated.")
    var topic: [String] = []

    @Option(help: "What the mailbox calls it.")
    var name: String?

    @Option(help: "The language in which it shows localisation keys, such as de or pt-BR.")
    var language: String?

    @Flag(help: "Print the device as JSON.")
    var json = false

    @OptionGroup var server: ServerAddress

    func run() async throws {
      let body = JSON.members([
        "token": token.map(JSON.string), "platform": platform.map(JSON.string),
        "state": state.map(JSON.string), "name": name.map(JSON.string),
        "language": language.map(JSON.string),
        "topics": topic.isEmpty ? nil : .strings(topic),
      ])
      let device = try await server.ask(
        "POST", path: PushCommand.path(server, rest: "devices"), body: body)
      print(json ? device.text : device["token"]?.string ?? "")
    }
  }

  /// Lists devices.
  struct Devices: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "devices",
      abstract: "Print a line for each device: token, platform, state, topics, name, language.")

    @OptionGroup var server: ServerAddress

    func run() async throws {
      let answer = try await server.ask("GET", path: PushCommand.path(server, rest: "devices"))
      for device in answer["devices"]?.array ?? [] {
        let topics = (device["topics"]?.array ?? []).compactMap(\.string)
        let fields = ["token", "platform", "state"].map { device[$0]?.string ?? "" }
        print(
          (fields + [topics.joined(separator: ",")]
            + ["name", "language"].map { device[$0]?.string ?? "" })
            .joined(separator: "\t"))
      }
    }
  }

  /// Forgets a device.
  struct Forget: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "forget", abstract: "Forget a device.")

    @Argument(help: "Its token.")
    var token: String

    @OptionGroup var server: ServerAddress

    func run() async throws {
      let name = PercentCoding.encodeComponent(token)
      _ = try await server.ask("DELETE", path: PushCommand.path(server, rest: "devices/\(name)"))
    }
  }

  /// Prints a captured message as another tool takes it.
  struct Payload: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "payload",
      abstract: "Print a captured message for xcrun simctl push, adb, or a service worker.",
      usage: "hearth push payload [<options>] <id>")

    @Argument(help: "The message's id.")
    var id: String

    @Flag(help: "As a file for `xcrun simctl push`. This is the default.")
    var apns = false

    @Flag(help: "As the command for an Android emulator.")
    var adb = false

    @Flag(help: "As the text that a browser's service worker gets.")
    var webpush = false

    @Option(help: "The bundle id of the app, for --apns.")
    var bundle: String?

    @Option(help: "The package of the app, for --adb.")
    var package: String?

    @OptionGroup var server: ServerAddress

    func validate() throws {
      if [apns, adb, webpush].count(where: \.self) > 1 {
        throw ValidationError("--apns, --adb and --webpush are mutually exclusive")
      }
    }

    func run() async throws {
      let form = adb ? "adb" : webpush ? "webpush" : "apns"
      var query = FormFields()
      for case (let name, let value?) in [("bundle", bundle), ("package", package)] {
        query.pairs.append(FormFields.Pair(name: name, value: value))
      }
      let path = "messages/\(PercentCoding.encodeComponent(id))/payload/\(form)?\(query.text)"
      let answer = try await server.ask("GET", path: PushCommand.path(server, rest: path))
      print(adb ? answer["command"]?.string ?? "" : answer.text)
    }
  }

  static func path(_ server: ServerAddress, rest: String) -> String {
    "/emulator/v1/projects/\(server.projectSegment)/\(rest)"
  }
}
