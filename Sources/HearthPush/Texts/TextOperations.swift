package import HearthErrors
package import HearthOperations
import HearthWire

/// Takes the texts that localisation keys of push messages stand for: an object for each platform, or
/// the file of the app. The platforms that are not named keep theirs.
package enum SetTexts: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let kept = KeptTexts(in: project)
    let platforms = AppTexts.Platform.allCases.map(\.rawValue)
    for (name, value) in request.body.members {
      guard let platform = AppTexts.Platform(rawValue: name) else {
        throw APIError(
          .invalidArgument,
          detail: "unknown member '\(name)'; texts are of \(platforms.joined(separator: ", "))")
      }
      try kept.save(try texts(value, of: platform), of: platform)
    }
    return .json(try kept.texts().json)
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
    return texts
  }
}

/// The texts of the app.
package enum GetTexts: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    .json(try KeptTexts(in: project).texts().json)
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
