// swift-tools-version:6.2
import PackageDescription

// A package that uses HearthClient and HearthTesting, and nothing else of Hearth. `run` copies it to a folder in which
// `hearth` leads to the repository.
let package = Package(
  name: "consumer",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(path: "hearth", traits: []),
    // A version of its own choice, of a package that is among Hearth's dependencies.
    .package(url: "https://github.com/apple/swift-crypto", exact: "3.12.3"),
  ],
  targets: [
    .executableTarget(
      name: "App", dependencies: [.product(name: "HearthClient", package: "hearth")]),
    .testTarget(
      name: "AppTests", dependencies: [.product(name: "HearthTesting", package: "hearth")]),
  ]
)
