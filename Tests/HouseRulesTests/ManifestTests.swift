import Foundation
import Testing

/// A module that is imported and not declared compiles by the order of a build only.
@Suite struct `The manifest` {
  @Test func `A target declares what it imports, and nothing else`() throws {
    let manifest = Package.root.appending(path: "Package.swift")
    let targets = ManifestTarget.all(in: try String(contentsOf: manifest, encoding: .utf8))
    #expect(Set(targets.map(\.name)).isSuperset(of: ["HearthServer", "HearthTestSupport"]))
    for target in targets {
      let (declared, imported) = (target.dependencies, target.imports)
      #expect(
        imported.subtracting(declared).isEmpty, "\(target.name) imports these and lacks them")
      #expect(
        declared.subtracting(imported).isEmpty, "\(target.name) declares these and has no use")
    }
  }

  @Test func `A manifest declares targets and products`() {
    let targets = ManifestTarget.all(
      in: """
        .systemLibrary(name: "C"), .target(name: "A", dependencies: ["C"], plugins: ["P"]),
        .plugin(name: "P", path: "Sources/E"),
        .testTarget(
          name: "ATests",
          dependencies: ["A", .product(name: "NIO", package: "swift-nio", condition: server)],
          path: "Tests/Support"),
        """)
    #expect(targets.map(\.name) == ["C", "A", "ATests"])
    #expect(targets.map(\.dependencies) == [[], ["C"], ["A", "NIO"]])
    #expect(targets.map(\.path) == ["Sources/C", "Sources/A", "Tests/Support"])
  }
}
