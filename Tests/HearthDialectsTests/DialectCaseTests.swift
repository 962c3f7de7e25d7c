import HearthDialects
import HearthWire
import Testing

@Suite struct `The shipped definitions` {
  struct Row: Sendable, CustomTestStringConvertible {
    let definition: String
    let name: String
    let steps: [JSON]

    var testDescription: String { "\(definition): \(name)" }
  }

  static let rows = Fixtures.cases.flatMap { fixture in
    ((try? JSON.parse(fixture.text))?.array ?? []).map { json in
      Row(
        definition: fixture.name, name: json["case"]?.string ?? "",
        steps: json["steps"]?.array ?? [])
    }
  }

  @Test func `are three, each with cases`() {
    #expect(Fixtures.definitions.count == 3)
    #expect(Fixtures.definitions.map(\.name) == Fixtures.cases.map(\.name))
    for fixture in Fixtures.cases {
      #expect(Self.rows.count { $0.definition == fixture.name } >= 9, "\(fixture.name)")
    }
  }

  @Test(arguments: Fixtures.definitions)
  func `are named like their files`(fixture: Fixtures.Fixture) throws {
    #expect(try Fixtures.definition(fixture.name).name == fixture.name)
  }

  @Test func `and the guide's own are taken`() throws {
    #expect(Fixtures.guide.count == 1)
    for fixture in Fixtures.guide { _ = try DialectDefinition(parsing: fixture.text.utf8) }
  }

  @Test(arguments: rows)
  func `keep their contract`(row: Row) throws {
    var runner = CaseRunner(try Fixtures.definition(row.definition), name: row.testDescription)
    try runner.run(row.steps)
  }
}
