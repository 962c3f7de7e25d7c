import HearthSuite
import Testing

@Suite struct `The log of the rest of the suite` {
  @Test(arguments: [
    ("i  functions: Watching \"functions\"", "i  functions: Watching \"functions\""),
    ("\u{1B}[32m✔  functions: Loaded\u{1B}[39m\r", "✔  functions: Loaded"),
    (">  hello", ">  hello"),
    ("⬢  functions: Failed to load", "⬢  functions: Failed to load"),
    ("i  emulators: Please wait for a clean shutdown or send the SIGINT signal again", nil),
    ("plain words", "i  suite: plain words"),
    ("", nil), ("   ", nil), ("┌─────────┐", nil), ("│ functions │ 5001 │", nil),
    ("  Emulator Hub host: 127.0.0.1 port: 4400", nil),
    (
      "⚠  functions: The following emulators are not running, calls to these services from the "
        + "Functions emulator will affect production: auth, firestore, database",
      "⚠  functions: The following emulators are not running, calls to these services from the "
        + "Functions emulator will affect production: database"
    ),
    (
      "⚠  functions: The following emulators are not running, calls to these services from the "
        + "Functions emulator will affect production: auth, firestore", nil
    ),
    (
      "i  functions[us-central1-f]: function ignored because the firestore emulator does not exist or "
        + "is not running.", "✔  functions[us-central1-f]: firestore function initialized."
    ),
    (
      "i  functions[us-central1-f]: function ignored because the storage emulator does not exist",
      "i  functions[us-central1-f]: function ignored because the storage emulator does not exist"
    ),
  ])
  func `shows what is so here`(_ line: String, _ shown: String?) {
    var log = SuiteLog(played: ["auth", "firestore"])
    #expect(log.shown(line) == shown)
    #expect(!log.isReady)
  }

  @Test func `knows when the others are ready`() {
    var log = SuiteLog(played: ["auth", "firestore"])
    let line = "│ ✔  All emulators ready! It is now safe to connect your app. │"
    #expect(log.shown(line) == nil)
    #expect(log.isReady)
  }

  @Test func `warns of production where this server plays nothing`() {
    var log = SuiteLog(played: [])
    let line = "⚠  functions: calls to these services will affect production: auth, firestore"
    #expect(log.shown(line) == line)
  }
}
