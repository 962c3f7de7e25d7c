package import HearthWire

extension IndexConfiguration {
  /// Reads `firestore.indexes.json`: JSON with comments. Keys that it does not know are allowed, and
  /// so is the older form with `collectionId` and `mode`.
  ///
  /// - Throws: all mistakes, each with its place.
  package init(reading bytes: [UInt8]) throws(IndexFileError) {
    let json: JSON
    do throws(JSON.ParseError) {
      json = try JSON.parse(
        JSON.withoutComments(bytes), within: .init(values: 200_000, members: 1000))
    } catch {
      throw IndexFileError(mistakes: [.init(path: "", message: "not JSON: \(error)")])
    }
    try self.init(json)
  }

  package init(_ json: JSON) throws(IndexFileError) {
    var reader = IndexFileReader()
    self = reader.configuration(json)
    guard reader.mistakes.isEmpty else { throw IndexFileError(mistakes: reader.mistakes) }
  }
}

/// Reads the parts of a file, and collects what is wrong with them.
private struct IndexFileReader {
  /// More than production allows. The work of a query grows with them.
  private static let mostIndexes = 2000
  private static let mostFields = 100
  private static let mostMistakes = 100
  private static let apiScopes = ["ANY_API", "DATASTORE_MODE_API", "MONGODB_COMPATIBLE_API"]
  private static let densities = ["DENSITY_UNSPECIFIED", "SPARSE_ALL", "SPARSE_ANY", "DENSE"]

  private(set) var mistakes: [IndexFileError.Mistake] = []

  private mutating func report(_ path: String, message: String) {
    guard mistakes.count < Self.mostMistakes else { return }
    mistakes.append(.init(path: path, message: message))
  }

  mutating func configuration(_ json: JSON) -> IndexConfiguration {
    guard json.object != nil else {
      report("", message: "must be an object")
      return IndexConfiguration()
    }
    guard json["indexes"] != nil else {
      report("", message: "must contain \"indexes\" property.")
      return IndexConfiguration()
    }
    var configuration = IndexConfiguration()
    for (path, index) in elements("indexes", json: json["indexes"]) {
      if let index = self.index(index, path: path) { configuration.indexes.append(index) }
    }
    for (path, override) in elements("fieldOverrides", json: json["fieldOverrides"]) {
      guard let override = self.override(override, path: path) else { continue }
      checkTimeToLive(override, others: configuration.overrides, path: path)
      configuration.overrides.append(override)
    }
    return configuration
  }

  /// The objects of an array with their paths.
  private mutating func elements(
    _ path: String, json: JSON?, most: Int = Self.mostIndexes
  ) -> [(path: String, element: JSON)] {
    guard let json else { return [] }
    guard let elements = json.array else {
      report(path, message: "must be an array")
      return []
    }
    guard elements.count <= most else {
      report(path, message: "must have at most \(most) elements")
      return []
    }
    var found: [(path: String, element: JSON)] = []
    for (number, element) in elements.enumerated() {
      if element.object == nil {
        report("\(path)[\(number)]", message: "must be an object")
      } else {
        found.append(("\(path)[\(number)]", element))
      }
    }
    return found
  }

  private mutating func index(_ json: JSON, path: String) -> CompositeIndex? {
    let before = mistakes.count
    let group = text("collectionGroup", json: json, path: path, formerly: "collectionId")
    let scope = scope(json, path: path)
    refuseUnique(json, path: path)
    var fields: [IndexField] = []
    if let list = json["fields"], list.isTruthy {
      for (path, field) in elements("\(path).fields", json: list, most: Self.mostFields) {
        if let field = self.field(field, path: path) { fields.append(field) }
      }
      if list.array?.isEmpty == true { report("\(path).fields", message: "must not be empty") }
    } else {
      report(path, message: "Must contain \"fields\": \(json.text)")
    }
    let apiScope = choice("apiScope", values: Self.apiScopes, json: json, path: path)
    let density = choice("density", values: Self.densities, json: json, path: path)
    let multikey = flag("multikey", json: json, path: path)
    guard mistakes.count == before, let group, let scope else { return nil }
    var index = CompositeIndex(group, scope: scope, fields: fields)
    index.apiScope = apiScope
    index.density = density
    index.multikey = multikey
    return index
  }

  private mutating func field(_ json: JSON, path: String) -> IndexField? {
    let name = fieldPath(json, path: path)
    let mode = mode(
      json, keys: ["order", "arrayConfig", "searchConfig", "vectorConfig"], path: path)
    guard let name, let mode else { return nil }
    return IndexField(name, mode: mode)
  }

  private mutating func override(_ json: JSON, path: String) -> FieldOverride? {
    let before = mistakes.count
    let group = text("collectionGroup", json: json, path: path, formerly: "collectionId")
    let name = fieldPath(json, path: path)
    let isExpiry = flag("ttl", json: json, path: path)
    var entries: [FieldOverride.Entry] = []
    if json["indexes"] == nil {
      report(path, message: "Must contain \"indexes\": \(json.text)")
    } else {
      for (path, entry) in elements("\(path).indexes", json: json["indexes"]) {
        refuseUnique(entry, path: path)
        let mode = mode(entry, keys: ["arrayConfig", "order"], path: path)
        let scope = scope(entry, path: path)
        let apiScope = choice("apiScope", values: Self.apiScopes, json: entry, path: path)
        let density = choice("density", values: Self.densities, json: entry, path: path)
        let multikey = flag("multikey", json: entry, path: path)
        guard let mode, let scope else { continue }
        var read = FieldOverride.Entry(mode, scope: scope)
        read.apiScope = apiScope
        read.density = density
        read.multikey = multikey
        entries.append(read)
      }
    }
    guard mistakes.count == before, let group, let name else { return nil }
    return FieldOverride(group, path: name, entries: entries, timeToLive: isExpiry)
  }

  private mutating func checkTimeToLive(
    _ override: FieldOverride, others: [FieldOverride], path: String
  ) {
    guard override.timeToLive == true else { return }
    let other = others.first {
      $0.timeToLive == true && $0.collectionGroup == override.collectionGroup
    }
    guard let other else { return }
    report(
      "\(path).ttl",
      message: "\"\(override.collectionGroup)\" has the time to live in \"\(other.path)\" already")
  }

  // MARK: Members

  private mutating func text(
    _ key: String, json: JSON, path: String, formerly old: String? = nil
  ) -> String? {
    let value = json[key] ?? old.flatMap { json[$0] }
    guard let value, value.isTruthy else {
      report(path, message: "Must contain \"\(key)\": \(json.text)")
      return nil
    }
    guard let text = value.string else {
      report("\(path).\(key)", message: "Property \"\(key)\" must be of type string")
      return nil
    }
    return text
  }

  private mutating func fieldPath(_ json: JSON, path: String) -> IndexedPath? {
    guard let text = text("fieldPath", json: json, path: path) else { return nil }
    guard let name = IndexedPath(text) else {
      report("\(path).fieldPath", message: "\"\(text)\" is not the path of a field")
      return nil
    }
    return name
  }

  private mutating func scope(_ json: JSON, path: String) -> QueryScope? {
    let scopes = QueryScope.allCases.map(\.rawValue)
    guard json["queryScope"] != nil else { return .collection }
    return choice("queryScope", values: scopes, json: json, path: path).flatMap(QueryScope.init)
  }

  private mutating func choice(
    _ key: String, values: [String], json: JSON, path: String
  ) -> String? {
    guard let value = json[key] else { return nil }
    guard let text = value.string, values.contains(text) else {
      report(
        "\(path).\(key)",
        message: "Field \"\(key)\" must be one of \(values.joined(separator: ", ")): \(json.text)")
      return nil
    }
    return text
  }

  private mutating func flag(_ key: String, json: JSON, path: String) -> Bool? {
    guard let value = json[key] else { return nil }
    guard let flag = value.bool else {
      report("\(path).\(key)", message: "Property \"\(key)\" must be of type boolean")
      return nil
    }
    return flag
  }

  private mutating func refuseUnique(_ json: JSON, path: String) {
    guard json["unique"] != nil else { return }
    report("\(path).unique", message: "The `unique` index configuration is not supported yet.")
  }

  /// How a field is kept: by exactly one of the keys, or by the older `mode`.
  private mutating func mode(_ json: JSON, keys: [String], path: String) -> IndexField.Mode? {
    let given = keys.filter { json[$0] != nil }
    if given.isEmpty, json["mode"] != nil { return formerMode(json, path: path) }
    guard given.count == 1, let key = given.first else {
      let names = keys.joined(separator: ",")
      report(path, message: "Must contain exactly one of \"\(names)\": \(json.text)")
      return nil
    }
    switch key {
    case "order":
      return choice(key, values: ["ASCENDING", "DESCENDING"], json: json, path: path).map {
        $0 == "ASCENDING" ? .ascending : .descending
      }
    case "arrayConfig":
      return choice(key, values: ["CONTAINS"], json: json, path: path).map { _ in .contains }
    case "vectorConfig": return vector(json[key] ?? .null, path: "\(path).\(key)")
    default: return .search
    }
  }

  private mutating func formerMode(_ json: JSON, path: String) -> IndexField.Mode? {
    switch choice(
      "mode", values: ["ASCENDING", "DESCENDING", "ARRAY_CONTAINS"], json: json, path: path)
    {
    case "ASCENDING"?: .ascending
    case "DESCENDING"?: .descending
    case "ARRAY_CONTAINS"?: .contains
    default: nil
    }
  }

  private mutating func vector(_ json: JSON, path: String) -> IndexField.Mode? {
    let dimension: Int64? =
      switch json["dimension"] {
      case .int(let value)?: value
      case .double(let value)?: Int64(exactly: value)
      default: nil
      }
    if dimension == nil {
      report("\(path).dimension", message: "Property \"dimension\" must be of type number")
    }
    if json["flat"] == nil { report(path, message: "Must contain \"flat\": \(json.text)") }
    guard let dimension, json["flat"] != nil else { return nil }
    return .vector(dimension: Int(clamping: dimension))
  }
}
