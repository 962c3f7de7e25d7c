import HearthErrors
import HearthOperations
import HearthWire
import Testing

@Suite struct `The switches of a project` {
  private var switches: Switches { Switches.Profile.emulator.switches }

  @Test(arguments: Switches.Profile.allCases)
  func `are the same after they were written and read`(profile: Switches.Profile) throws {
    var read = switches
    try read.update(try #require(profile.switches.json.object))
    #expect(read == profile.switches)
  }

  @Test func `change where they are named, and stay elsewhere`() throws {
    var changed = switches
    try changed.update(
      JSONObject(["codeExpiry": false, "answers": "production", "smsCodeLifetime": 60]))
    var expected = switches
    expected.codeExpiry = false
    expected.answers = .production
    expected.smsCodeLifetime = 60
    #expect(changed == expected)
  }

  @Test(
    arguments: [
      (["codeExpiry": 1], "/codeExpiry must be boolean"),
      (["smsCodeLifetime": 0], "/smsCodeLifetime must be an integer"),
      (["smsCodeLifetime": "60"], "/smsCodeLifetime must be an integer"),
      (["answers": "both"], "/answers must be one of emulator, production"),
      (["appName": "two\nlines"], "/appName must be a line"),
      (["codeExpiri": true], "unknown switch 'codeExpiri'"),
    ] as [(JSON, String)])
  func `that are wrong are refused by name`(body: JSON, words: String) throws {
    var changed = switches
    do throws(APIError) {
      try changed.update(body.object ?? JSONObject())
      Issue.record("\(body.text) was taken")
    } catch {
      #expect(error.code == .invalidArgument && error.message.contains(words), "\(error.message)")
    }
  }
}
