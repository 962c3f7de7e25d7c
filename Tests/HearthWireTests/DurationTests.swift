import HearthTime
import HearthWire
import Testing

@Suite struct `A duration as text` {
  @Test(arguments: [
    ("500ms", Duration.milliseconds(500)), ("10s", .seconds(10)), ("2m", .seconds(120)),
    ("2h", .seconds(7200)), ("1d12h", .seconds(129_600)), ("-1w", .seconds(-604_800)),
    ("+1h", .seconds(3600)), ("0s", .zero), ("PT2H", .seconds(7200)),
    ("P1DT0.5S", .milliseconds(86_400_500)),
    ("-PT1M", .seconds(-60)),
  ])
  func `is read in both forms`(_ text: String, _ duration: Duration) {
    #expect(Duration(written: text) == duration)
  }

  @Test(arguments: [
    "", "2", "h", "2 h", "1h2d", "1h1h", "1.5h", "--1h", "P", "PT", "1H", "99999999999999w",
    "999999999999d", "½h",
  ])
  func `is refused where it is unclear`(_ text: String) {
    #expect(Duration(written: text) == nil)
  }
}

@Suite struct `The distance of two words` {
  @Test(arguments: [("serv", "serve", 1), ("mial", "mail", 2), ("", "abc", 3), ("same", "same", 0)])
  func `counts the letters to change`(_ first: String, _ second: String, _ distance: Int) {
    #expect(first.editDistance(to: second) == distance)
    #expect(second.editDistance(to: first) == distance)
  }
}
