import HearthServer

/// What is printed when everything can be reached.
struct Banner {
  let lines: [String]

  init(_ configuration: Configuration, _ addresses: Addresses) {
    let auth = addresses.authority(addresses.authPort)
    let firestore = addresses.authority(addresses.firestorePort)
    let console = addresses.authority(addresses.consolePort)
    var doors = [
      "auth       http://\(auth)",
      "firestore  http://\(firestore)",
      "console    http://\(console)",
    ]
    if let port = addresses.unsignedAuthPort {
      doors.append("unsigned   http://\(addresses.authority(port))")
    }
    lines =
      doors + [
        "",
        "export FIREBASE_AUTH_EMULATOR_HOST=\(auth)",
        "export FIRESTORE_EMULATOR_HOST=\(firestore)",
        "export GCLOUD_PROJECT=\(configuration.project)",
        "export HEARTH_CONSOLE_URL=http://\(console)",
        "",
        "All emulators ready! It is now safe to connect your app.",
      ]
  }
}
