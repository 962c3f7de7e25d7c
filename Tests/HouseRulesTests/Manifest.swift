import Foundation

/// What `Package.swift` declares of a target.
struct ManifestTarget {
  let name: String
  /// The folder of its files.
  let path: String
  /// Its targets and products, by the names of their modules.
  let dependencies: Set<String>

  /// The modules that its files import, but for those that come with the toolchain.
  var imports: Set<String> {
    Set(Package.files.filter { $0.path.hasPrefix(path + "/") }.flatMap(\.imports))
      .subtracting(HouseRules.everywhere).subtracting(HouseRules.ofTheToolchain)
  }

  /// The targets whose declarations the text of a manifest has. Plugins are left out.
  static func all(in text: String) -> [ManifestTarget] {
    let starts = text.ranges(of: /\.(?:systemLibrary|target|(?:executable|test)Target|plugin)\(/)
    let parts = zip(starts, starts.dropFirst().map(\.lowerBound) + [text.endIndex])
      .map { text[$0.lowerBound..<$1] }
      .filter { !$0.hasPrefix(".plugin(") }
    let named = parts.compactMap { part in
      part.firstMatch(of: /name: "([^"]+)"/).map { (name: String($0.1), text: part) }
    }
    let targets = Set(named.map(\.name))
    return named.map { name, text in
      let words = Set(text.matches(of: /"(\w[\w-]*)"/).map { String($0.1) })
      let products = text.matches(of: /\.product\(\s*name: "(\w+)"/).map { String($0.1) }
      let folder = text.hasPrefix(".testTarget(") ? "Tests" : "Sources"
      return ManifestTarget(
        name: name,
        path: text.firstMatch(of: /path: "([^"]+)"/).map { String($0.1) } ?? "\(folder)/\(name)",
        dependencies: words.intersection(targets).subtracting([name]).union(products))
    }
  }
}
