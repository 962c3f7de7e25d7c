import HearthIndexes
import HearthWire
import Testing

@Suite("Queries whose need is known")
struct KnownQueryTests {
  @Test(arguments: KnownQuery.all)
  func verdict(known: KnownQuery) throws {
    let catalogue = IndexCatalogue(try known.configuration)
    let shape = try known.shape
    guard known.json["verdict"] != "invalid" else {
      #expect(throws: InvalidShape.self) { try catalogue.plan(shape) }
      return
    }
    let plan = try catalogue.plan(shape)
    #expect(plan.verdict == known.json["verdict"]?.string, "\(plan.reason)")
    let missing = plan.missing.first
    if let index = known.json["index"] {
      let fields = index["fields"]?.array ?? []
      #expect(missing?.fields.map(\.withoutDimension) == fields.map(Self.withoutDimension))
      #expect(missing?.scope.rawValue == index["queryScope"]?.string)
    }
    if let override = known.json["override"] { #expect(missing?.json == override) }
    guard let link = known.json["link"]?.string else { return }
    #expect(missing?.linkParameter(project: "demo-test", database: "(default)") == link)
    let message = missing?.message(
      shape, project: "demo-test", database: "(default)", console: "http://console/indexes")
    #expect(message?.contains("http://console/indexes?\(link)") == true)
    let isOfSeveral = message?.hasSuffix("multiple-range-fields.") == true
    #expect(isOfSeveral == (known.json["severalRanges"]?.bool ?? false))
  }

  /// A vector's dimension is that of the query, which the file leaves out.
  private static func withoutDimension(_ json: JSON) -> JSON {
    json["vectorConfig"] == nil ? json : .members(["fieldPath": json["fieldPath"]])
  }

  @Test func allAreRead() { #expect(KnownQuery.all.count == 109) }

  /// An index that a plan misses, added to the configuration, serves the query.
  @Test(arguments: KnownQuery.all)
  func addedIndexServes(known: KnownQuery) throws {
    let configuration = try known.configuration
    let shape = try known.shape
    guard let plan = try? IndexCatalogue(configuration).plan(shape) else { return }
    let added = plan.missing.reduce(configuration) { $0.merged(with: $1.addition(to: $0)) }
    #expect(try IndexCatalogue(added).plan(shape).isServed)
    #expect(
      try IndexConfiguration(reading: added.json.prettyBytes) == IndexConfiguration(added.json))
  }
}

extension IndexField {
  fileprivate var withoutDimension: JSON {
    if case .vector = mode { return .members(["fieldPath": .string(path.description)]) }
    return json
  }
}

extension IndexPlan {
  /// The kind of answer that the fixtures name.
  fileprivate var verdict: String {
    if let missing = missing.first {
      switch missing.form {
      case .composite: return "composite-needed"
      case .single: return "single-field-needed"
      case .vector: return "vector-needed"
      }
    }
    let answers = disjuncts.map(\.answer)
    let merges = answers.filter { if case .merge = $0 { true } else { false } }
    let composites = answers.flatMap(\.indexes).filter { $0.position != nil }
    if composites.contains(where: { $0.fields.contains { $0.mode.isVector } }) {
      return "vector-present"
    }
    switch (merges.isEmpty, composites.isEmpty) {
    case (true, true): return "auto"
    case (true, false): return "composite-present"
    case (false, true): return "merge"
    case (false, false): return "composite-merge"
    }
  }
}

extension IndexField.Mode {
  fileprivate var isVector: Bool { if case .vector = self { true } else { false } }
}

@Suite("The message about a missing index")
struct MissingIndexTests {
  /// Both are links that production made.
  @Test func links() throws {
    let ordered = QueryShape(
      "verificationCodes", scope: .collection,
      filter: .all([
        .test(.init(.init(segments: ["email"]), comparison: .equal)),
        .test(.init(.init(segments: ["type"]), comparison: .equal)),
      ]), orders: [.init(.init(segments: ["createdAt"]), isDescending: true)])
    let composite = try #require(try IndexCatalogue().plan(ordered).missing.first)
    #expect(
      composite.linkParameter(project: "pixel-lift-423b5", database: "(default)")
        == "create_composite=Clpwcm9qZWN0cy9waXhlbC1saWZ0LTQyM2I1L2RhdGFiYXNlcy8oZGVmYXVsdCkvY29s"
        + "bGVjdGlvbkdyb3Vwcy92ZXJpZmljYXRpb25Db2Rlcy9pbmRleGVzL18QARoJCgVlbWFpbBABGggKBHR5cGUQ"
        + "ARoNCgljcmVhdGVkQXQQAhoMCghfX25hbWVfXxAC")
    let group = QueryShape(
      "meals", scope: .collectionGroup,
      orders: [.init(.init(segments: ["date"]), isDescending: true)])
    let single = try #require(try IndexCatalogue().plan(group).missing.first)
    #expect(
      single.linkParameter(project: "mealog-r0", database: "(default)")
        == "create_exemption=Cklwcm9qZWN0cy9tZWFsb2ctcjAvZGF0YWJhc2VzLyhkZWZhdWx0KS9jb2xsZWN0aW9u"
        + "R3JvdXBzL21lYWxzL2ZpZWxkcy9kYXRlEAIaCAoEZGF0ZRAC")
    #expect(
      single.message(group, project: "p", database: "(default)", console: "c").hasPrefix(
        "The query requires a COLLECTION_GROUP_DESC index for collection meals and field date. "))
  }

  @Test func vector() throws {
    let shape = QueryShape(
      "q", scope: .collection, filter: .test(.init(.init(segments: ["n"]), comparison: .greater)),
      nearest: .init(.init(segments: ["emb"]), dimension: 3))
    let missing = try #require(try IndexCatalogue().plan(shape).missing.first)
    #expect(
      missing.message(shape, project: "P", database: "(default)", console: "")
        == "Missing vector index configuration. Please create the required index with the "
        + "following gcloud command: gcloud firestore indexes composite create --project=P "
        + "--collection-group=q --query-scope=COLLECTION "
        + "--field-config=order=ASCENDING,field-path=n "
        + "--field-config=vector-config='{\"dimension\":\"3\",\"flat\": \"{}\"}',field-path=emb")
  }
}
