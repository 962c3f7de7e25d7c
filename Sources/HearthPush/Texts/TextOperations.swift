package import HearthErrors
package import HearthOperations
package import HearthWire

/// Takes the texts that localisation keys of push messages stand for: an object for each platform, or
/// the file of the app. What is not named stays.
package enum SetTexts: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let kept = KeptTexts(in: project)
    try kept.set(request.body)
    return .json(try kept.json())
  }
}

extension KeptTexts {
  /// Takes the members of a request or a seed.
  package func set(_ given: JSONObject) throws(APIError) {
    for (name, value) in given.members {
      switch name {
      case "language":
        try save(try LanguageTag.read(value.string ?? ""))
      case "languages":
        guard let languages = value.object else {
          throw APIError(.invalidArgument, detail: "languages must be an object")
        }
        for (language, tables) in languages.members {
          try set(tables, in: try LanguageTag.read(language))
        }
      default:
        let platform = try Self.platform(name)
        if platform == .ios, let file = value.string, StringCatalogue.isOne(file) {
          try save(try Self.catalogue(file))
        } else {
          try save(try Self.texts(value, of: platform), of: platform)
        }
      }
    }
    try checkRoom()
  }

  private func set(_ tables: JSON, in language: LanguageTag) throws(APIError) {
    guard let tables = tables.object else {
      throw APIError(.invalidArgument, detail: "\(language.text) must be an object")
    }
    for (name, value) in tables.members {
      let platform = try Self.platform(name)
      try save(try Self.texts(value, of: platform), of: platform, in: language)
    }
  }

  private static func platform(_ name: String) throws(APIError) -> AppTexts.Platform {
    guard let platform = AppTexts.Platform(rawValue: name) else {
      let known = AppTexts.Platform.allCases.map(\.rawValue).joined(separator: ", ")
      throw APIError(
        .invalidArgument,
        detail: "unknown member '\(name)'; texts are of \(known), and of languages")
    }
    return platform
  }

  private static func catalogue(_ file: String) throws(APIError) -> StringCatalogue {
    guard file.utf8.count <= StringCatalogue.longest else {
      throw APIError(
        .invalidArgument,
        detail: "a string catalogue has at most \(StringCatalogue.longest) bytes")
    }
    let catalogue: StringCatalogue
    do throws(TextFile.Problem) { catalogue = try StringCatalogue(file) } catch {
      throw APIError(.invalidArgument, detail: "ios cannot be read: \(error.description)")
    }
    for table in catalogue.tables { try checkSize(table.texts, of: .ios) }
    return catalogue
  }

  private static func texts(
    _ value: JSON, of platform: AppTexts.Platform
  ) throws(APIError) -> JSONObject {
    var texts = JSONObject()
    switch value {
    case .object(let object) where object.members.allSatisfy { $0.value.string != nil }:
      texts = object
    case .string(let file) where file.utf8.count <= AppTexts.longest:
      do throws(TextFile.Problem) {
        texts = platform == .ios ? try TextFile.apple(file) : try TextFile.android(file)
      } catch {
        throw APIError(
          .invalidArgument, detail: "\(platform.rawValue) cannot be read: \(error.description)")
      }
    default:
      throw APIError(
        .invalidArgument,
        detail: "\(platform.rawValue) must be an object of texts by their keys, or the content of "
          + "Localizable.strings or strings.xml, of at most \(AppTexts.longest) bytes")
    }
    try checkSize(texts, of: platform)
    return texts
  }

  private static func checkSize(
    _ texts: JSONObject, of platform: AppTexts.Platform
  ) throws(APIError) {
    guard texts.members.count <= AppTexts.mostKeys else {
      throw APIError(
        .invalidArgument, detail: "\(platform.rawValue) has more than \(AppTexts.mostKeys) keys")
    }
    let bytes = texts.members.reduce(0) {
      $0 + $1.key.utf8.count + ($1.value.string ?? "").utf8.count
    }
    guard bytes <= AppTexts.longest else {
      throw APIError(
        .invalidArgument,
        detail:
          "the keys and texts of \(platform.rawValue) have more than \(AppTexts.longest) bytes")
    }
  }
}

/// The texts of the app.
package enum GetTexts: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    .json(try KeptTexts(in: project).json())
  }
}

/// Forgets the texts of the app.
package enum ClearTexts: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try KeptTexts(in: project).clear()
    return .json([:])
  }
}
