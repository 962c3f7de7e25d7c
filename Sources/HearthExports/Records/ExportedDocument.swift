package import HearthFirestoreProtos

/// A document as exports know it.
package struct ExportedDocument: Sendable {
  /// The application in its key: `dev~` and the project's id, where an emulator wrote it.
  package var app: String
  /// The database in its key, `(default)` where there is none.
  package var database: String
  /// Ids of collections and documents by turns.
  package var segments: [String]
  package var fields: Fields

  package init(app: String, database: String, segments: [String], fields: Fields) {
    self.app = app
    self.database = database
    self.segments = segments
    self.fields = fields
  }

  package static let defaultDatabase = "(default)"

  /// The application of a project.
  package static func app(of project: String) -> String { "dev~" + project }

  /// The project of an application: `demo-app` of `dev~demo-app`.
  static func project(of app: String) -> String {
    app.firstIndex(of: "~").map { String(app[app.index(after: $0)...]) } ?? app
  }
}

/// What a property means beyond the type of its value.
enum Meaning {
  static let timestamp: Int32 = 7
  static let geoPoint: Int32 = 9
  static let blob: Int32 = 14
  static let byteString: Int32 = 16
  static let map: Int32 = 19
  static let emptyList: Int32 = 24
  static let vector: Int32 = 31
}

/// Ids like `__id7__` are numbers in keys.
enum NumericId {
  private static let prefix = "__id"
  private static let suffix = "__"

  static func number(of id: String) -> Int64? {
    guard id.hasPrefix(prefix), id.hasSuffix(suffix), id.utf8.count > 6,
      let number = Int64(id.dropFirst(4).dropLast(2)), text(of: number) == id
    else { return nil }
    return number
  }

  static func text(of number: Int64) -> String { "\(prefix)\(number)\(suffix)" }
}
