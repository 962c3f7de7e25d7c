import HearthOperations
import HearthWire
import Testing

@Suite struct `The report of App Check` {
  private let report = AppCheckReport()

  private func note(
    _ kind: AppCheckReport.Kind, in project: String = "demo", operation: String = "signUp",
    caller: String = "app", isRefused: Bool = false
  ) {
    let verdict = kind == .verified ? "verified" : "missing"
    report.note(
      kind, of: AppCheckReport.Call(.auth, operation: operation, caller: caller), in: project,
      verdict: verdict, isRefused: isRefused)
  }

  private func numbers(_ json: JSON) -> [Int64?] {
    (AppCheckReport.Kind.allCases.map(\.rawValue) + ["refused", "unverified"])
      .map { json[$0]?.integer }
  }

  @Test func `counts by kind, and the calls by how many are not verified`() {
    note(.verified, operation: "a")
    note(.invalid, operation: "b", isRefused: true)
    note(.outdatedClient, operation: "b")
    note(.unknownOrigin, operation: "c")
    let json = report.json(of: "demo")
    #expect(numbers(json) == [1, 1, 1, 1, 1, 3])
    #expect(json["calls"]?.array?.map { $0["operation"]?.string } == ["b", "c", "a"])
    report.clear("demo")
    #expect(numbers(report.json(of: "demo")) == [0, 0, 0, 0, 0, 0])
  }

  @Test func `has all projects, also those that are gone`() {
    note(.unknownOrigin, in: "demo-one")
    note(.unknownOrigin, in: "demo-two", isRefused: true)
    report.pass("demo-one")
    #expect(numbers(report.json(of: "demo-one")) == [0, 0, 0, 0, 0, 0])
    #expect(numbers(report.json) == [0, 0, 0, 2, 1, 2])
    #expect(report.json["calls"]?.array?.count == 1)
    #expect(report.json["calls"]?.array?.first?["verdict"]?.string == "missing")
  }

  @Test func `is bounded in calls and in projects`() {
    for number in 1...600 { note(.invalid, operation: "call \(number)") }
    #expect(report.json(of: "demo")["calls"]?.array?.count == 501)
    #expect(report.json(of: "demo")["invalid"]?.integer == 600)
    for number in 1...300 { note(.invalid, in: "demo-\(number)") }
    #expect(report.json["invalid"]?.integer == 900)
  }

  @Test func `has callers of a hundred characters`() {
    note(.invalid, caller: String(repeating: "ä", count: 300))
    #expect(report.json(of: "demo")["calls"]?.array?.first?["caller"]?.string?.count == 100)
  }
}
