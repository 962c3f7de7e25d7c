import HearthSuite
import HearthWire
import Testing

@Suite struct `The plan of the rest of the suite` {
  private static let project: JSON = [
    "functions": ["source": "functions"], "storage": ["rules": "storage.rules"],
    "firestore": ["rules": "firestore.rules"],
    "emulators": [
      "auth": ["port": 9099], "firestore": ["port": 8080], "functions": ["port": 5005],
      "pubsub": ["port": 8085], "ui": ["enabled": true], "singleProjectMode": true,
    ],
  ]

  private func plan(
    only: [String]? = nil, withoutJava: String? = nil, taken: [Int] = [],
    freePort: (@Sendable () -> Int)? = nil
  ) -> SuitePlan {
    SuitePlan(
      firebaseJSON: Self.project, only: only,
      on: .init(
        ownPorts: (hub: 41, logging: 42), freePort: freePort, withoutJava: { withoutJava },
        owner: { taken.contains($0) ? " by nginx (process 7)" : nil }))
  }

  @Test func `has the services of the project and its emulators, but for ours`() {
    let plan = plan()
    #expect(plan.names == ["functions", "storage", "pubsub"])
    #expect(plan.missing.isEmpty)
    #expect(plan.exported == ["storage"])
    #expect(
      plan.settings["emulators"] == [
        "functions": ["port": 5005], "storage": ["port": 9199], "pubsub": ["port": 8085],
        "hub": ["port": 41], "logging": ["port": 42], "ui": ["enabled": false],
        "singleProjectMode": true,
      ])
    // What is not about emulators stays.
    #expect(plan.settings["firestore"] == Self.project["firestore"])
    #expect(
      plan.addresses == [
        "functions": "127.0.0.1:5005", "storage": "127.0.0.1:9199", "pubsub": "127.0.0.1:8085",
      ])
  }

  @Test func `leaves out what needs Java where there is none`() {
    let plan = plan(withoutJava: "no java in PATH")
    #expect(plan.names == ["functions"])
    #expect(plan.exported.isEmpty)
    #expect(plan.missing == ["no java in PATH: storage, pubsub will not run"])
  }

  @Test func `leaves out whose port is taken, and says by whom`() {
    let plan = plan(taken: [5005])
    #expect(plan.names == ["storage", "pubsub"])
    #expect(
      plan.missing == [
        "port 5005 is already in use by nginx (process 7): functions will not run"
      ])
  }

  @Test func `takes what is asked for`() {
    let plan = plan(only: ["functions:api", "hosting", "nonsense"])
    #expect(plan.names == ["functions:api", "hosting"])
    #expect(
      plan.arguments(
        project: "demo-a", file: "f.json", importing: "in", others: ["--debug"])
        == [
          "emulators:start", "--only", "functions:api,hosting", "--project", "demo-a", "--config",
          "f.json", "--non-interactive", "--import", "in", "--debug",
        ])
  }

  @Test func `takes free ports where it is to stand beside others`() {
    let plan = plan(only: ["functions"], freePort: { 6001 })
    #expect(plan.addresses == ["functions": "127.0.0.1:6001"])
    // Functions bring them along, and twelve runs must not meet at one port.
    #expect(plan.settings["emulators"]?["eventarc"] == ["port": 6001])
    #expect(plan.settings["emulators"]?["tasks"] == ["port": 6001])
  }

  @Test func `tells SDKs where the emulators are`() {
    #expect(
      SuiteMember.environment(["storage": "127.0.0.1:1", "pubsub": "127.0.0.1:2", "ui": "x"]) == [
        "FIREBASE_STORAGE_EMULATOR_HOST": "127.0.0.1:1",
        "STORAGE_EMULATOR_HOST": "http://127.0.0.1:1", "PUBSUB_EMULATOR_HOST": "127.0.0.1:2",
      ])
  }
}
