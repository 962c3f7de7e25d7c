package import HearthErrors
import HearthFirestoreProtos
package import HearthIndexes
import HearthOperations
import HearthTime
package import HearthWire

extension IndexTable {
  /// The page of the console that shows missing indexes, without a query.
  package func page(of project: String) -> String {
    "\(console)/v1/r/project/\(project)/firestore/indexes"
  }

  /// Why a query is answered or not, for people.
  func explanation(_ shape: QueryShape, plan: IndexPlan) -> JSON {
    .members([
      "query": .string(shape.description), "reason": .string(plan.reason),
      "missing": .array(plan.missing.map(\.json)),
    ])
  }

  /// The shapes of queries that have missed an index, with what would serve them, and the listed
  /// indexes that no query has used.
  package func report(of database: DatabaseName) -> JSON {
    let (configuration, notes) = (configuration(of: database), notes(of: database))
    let used = Set(notes.used.keys.map(\.listed))
    let unused = configuration.indexes.filter { index in
      !used.contains(
        ListedIndex(index.collectionGroup, scope: index.scope, fields: index.completeFields))
    }
    return .members([
      "missing": .array(notes.missing.map { json($0, of: database, configuration: configuration) }),
      "leftOut": notes.leftOut > 0 ? .int(Int64(notes.leftOut)) : nil,
      "unused": .array(unused.map(\.json)),
    ])
  }

  /// The queries that other indexes would not serve, with what they lack.
  package func check(_ configuration: IndexConfiguration, of database: DatabaseName) -> JSON {
    let entries = unserved(of: database, by: configuration).map { shape, plan -> JSON in
      .members([
        "query": .string(shape.description), "reason": .string(plan.reason),
        "indexes": .array(plan.missing.map(\.json)),
        "configuration": Self.additions(plan, to: configuration),
      ])
    }
    return .members(["missing": .array(entries)])
  }

  /// What a query misses, and what would have to be added for it.
  func described(_ shape: QueryShape, plan: IndexPlan, of database: DatabaseName) -> JSON {
    .members([
      "query": .string(shape.description), "reason": .string(plan.reason),
      "missing": .array(plan.missing.map(\.json)),
      "configuration": plan.missing.isEmpty
        ? nil : Self.additions(plan, to: configuration(of: database)),
    ])
  }

  private static func additions(
    _ plan: IndexPlan, to configuration: IndexConfiguration
  ) -> JSON {
    plan.missing.reduce(IndexConfiguration()) {
      $0.merged(with: $1.addition(to: configuration))
    }.json
  }

  /// One entry of the report, as events have it too.
  package func json(_ missing: IndexNotes.Missing, of database: DatabaseName) -> JSON {
    json(missing, of: database, configuration: configuration(of: database))
  }

  private func json(
    _ missing: IndexNotes.Missing, of database: DatabaseName, configuration: IndexConfiguration
  ) -> JSON {
    let additions = missing.indexes.reduce(IndexConfiguration()) {
      $0.merged(with: $1.addition(to: configuration))
    }
    let plan = try? IndexCatalogue(configuration).plan(missing.shape)
    let parameter = missing.indexes.first?.linkParameter(
      project: database.project, database: database.database)
    return .members([
      "database": .string(database.database),
      "query": .string(missing.query),
      "reason": .string(missing.reason),
      "indexes": .array(missing.indexes.map(\.json)),
      "configuration": additions.json,
      "link": parameter.map { .string("\(page(of: database.project))?\($0)") },
      "operation": .string(missing.operation),
      "caller": .string(missing.caller),
      "firstTime": .string(Timestamp(milliseconds: missing.time / 1000).iso8601),
      "count": .int(Int64(missing.count)),
      // An index may have been added since.
      "served": .bool(plan?.isServed ?? false),
    ])
  }

  /// How often queries have used each index, as the official emulator answers it.
  package func usage(of database: DatabaseName) -> JSON {
    let notes = notes(of: database)
    let reports = notes.used.sorted {
      ($1.value, $0.key.description) < ($0.value, $1.key.description)
    }
    return .members([
      "reports": .array(
        reports.map { index, count in
          .members([
            "index": .members([
              "name": .string("\(database)/collectionGroups/\(index.collectionGroup)/indexes/_"),
              "queryScope": .string(index.scope.rawValue),
              "fields": .array(index.fields.map(\.json)),
            ]),
            "numQueries": .string(String(count)),
          ])
        })
    ])
  }
}

/// What identifies an index of the list, whatever its position.
private struct ListedIndex: Hashable {
  let group: String
  let scope: QueryScope
  let fields: [IndexField]

  init(_ group: String, scope: QueryScope, fields: [IndexField]) {
    self.group = group
    self.scope = scope
    self.fields = fields
  }
}

extension ServingIndex {
  fileprivate var listed: ListedIndex { ListedIndex(collectionGroup, scope: scope, fields: fields) }
}

// MARK: Configurations as JSON

extension Firestore {
  /// Replaces the indexes of a database.
  ///
  /// - Throws: INVALID_ARGUMENT with all mistakes and their places.
  package func setIndexes(of database: DatabaseName, _ body: JSON) throws(APIError) {
    indexes.set(try Self.configuration(body), of: database)
  }

  /// Adds indexes to those of a database.
  package func addIndexes(of database: DatabaseName, _ body: JSON) throws(APIError) {
    let added = try Self.configuration(body)
    indexes.set(indexes.configuration(of: database).merged(with: added), of: database)
  }

  /// What the queries of a database have missed, and under which mode.
  package func indexReport(of database: DatabaseName) -> JSON {
    var report = indexes.report(of: database).object ?? JSONObject()
    report["mode"] = .string(switches(database.project).indexes.rawValue)
    return .object(report)
  }

  /// The queries so far that the indexes of the body would not serve.
  package func checkIndexes(of database: DatabaseName, _ body: JSON) throws(APIError) -> JSON {
    indexes.check(try Self.configuration(body), of: database)
  }

  /// The query in words, why it is answered or not, the indexes that it misses, and what would have
  /// to be added for it.
  package func planIndexes(for request: RunQueryRequest) throws(APIError) -> JSON {
    let parent = try ResourcePath.parent(request.parent)
    let query = try Query(
      parent: parent, request.structuredQuery,
      within: .init(asProduction: answersAsProduction(parent.database.project)),
      readsNamesBackwards: true)
    guard let shape = query.shape(), let plan = indexPlan(of: query) else {
      return ["missing": []]
    }
    return indexes.described(shape, plan: plan, of: parent.database)
  }

  private static func configuration(_ body: JSON) throws(APIError) -> IndexConfiguration {
    do throws(IndexFileError) {
      return try IndexConfiguration(body)
    } catch {
      throw .invalid(error.description)
    }
  }

  /// The indexes that were set for a project, to be kept with a snapshot.
  package func indexesState(of project: String) -> JSON {
    var members = JSONObject()
    for (database, configuration) in indexes.own(project).sorted(by: { $0.key < $1.key }) {
      members.append(database, value: configuration.json)
    }
    return .object(members)
  }

  /// Makes what ``indexesState(of:)`` told the indexes of a project.
  package func restoreIndexes(_ state: JSON, of project: String) {
    var configurations: [String: IndexConfiguration] = [:]
    for (database, json) in state.object?.members ?? [] {
      configurations[database] = try? IndexConfiguration(json)
    }
    indexes.replace(project, configurations: configurations)
  }

  /// Takes away the indexes that were set for a project, and what its queries have missed.
  package func removeIndexes(of project: String) {
    indexes.replace(project, configurations: [:])
    indexes.forget(project)
  }
}

extension Firestore {
  /// Whether the queries of a project are answered although they miss an index, and the log says so.
  package func warnsOfMissingIndexes(_ project: String) -> Bool {
    switches(project).indexes == .warn
  }
}
