import Foundation
import HearthIndexes
import HearthWire
import Testing

/// The queries of `fixtures/indexes/queries.json` with what production says of them.
struct KnownQuery: Sendable, CustomTestStringConvertible {
  let json: JSON

  var testDescription: String { json["name"]?.string ?? "" }

  static let all: [KnownQuery] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../fixtures/indexes/queries.json").standardizedFileURL
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return ((try? JSON.parse(text))?.array ?? []).map(KnownQuery.init)
  }()

  var configuration: IndexConfiguration {
    get throws {
      try IndexConfiguration(
        .members([
          "indexes": json["indexes"] ?? [], "fieldOverrides": json["fieldOverrides"] ?? [],
        ]))
    }
  }

  var shape: QueryShape {
    get throws { try QueryShape(query: try #require(json["query"]), json["aggregations"]) }
  }
}

extension QueryShape {
  /// Reads a structured query as REST has it.
  init(query: JSON, _ aggregations: JSON? = nil) throws {
    let source = try #require(query["from"]?.array?.first)
    let fields = (aggregations?.array ?? []).compactMap {
      ($0["sum"] ?? $0["avg"])?["field"]
    }
    self.init(
      try #require(source["collectionId"]?.string),
      scope: source["allDescendants"]?.bool == true ? .collectionGroup : .collection,
      filter: try query["where"].map { try Self.filter($0) },
      orders: try (query["orderBy"]?.array ?? []).map {
        Order(try Self.path($0["field"]), isDescending: $0["direction"] == "DESCENDING")
      },
      aggregated: try fields.map { try Self.path($0) },
      nearest: try query["findNearest"].map { nearest in
        let vector = nearest["queryVector"]?["mapValue"]?["fields"]?["value"]
        let values = vector?["arrayValue"]?["values"]?.array ?? []
        return Nearest(try Self.path(nearest["vectorField"]), dimension: values.count)
      })
  }

  private static func path(_ json: JSON?) throws -> IndexedPath {
    let text = try #require(json?["fieldPath"]?.string)
    return try #require(IndexedPath(text))
  }

  private static func filter(_ json: JSON) throws -> Filter {
    if let composite = json["compositeFilter"] {
      let filters = try (composite["filters"]?.array ?? []).map { try filter($0) }
      return composite["op"] == "OR" ? .any(filters) : .all(filters)
    }
    let test = try #require(json["fieldFilter"] ?? json["unaryFilter"])
    let comparison = try #require(comparisons[test["op"]?.string ?? ""])
    return .test(Test(try path(test["field"]), comparison: comparison))
  }

  private static let comparisons: [String: Comparison] = [
    "EQUAL": .equal, "IN": .oneOf, "IS_NULL": .isNull, "IS_NAN": .isNaN,
    "ARRAY_CONTAINS": .contains, "ARRAY_CONTAINS_ANY": .containsAny, "LESS_THAN": .less,
    "LESS_THAN_OR_EQUAL": .lessOrEqual, "GREATER_THAN": .greater,
    "GREATER_THAN_OR_EQUAL": .greaterOrEqual, "NOT_EQUAL": .notEqual, "NOT_IN": .notIn,
    "IS_NOT_NULL": .isNotNull, "IS_NOT_NAN": .isNotNaN,
  ]
}
