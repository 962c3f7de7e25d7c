// swift-tools-version:6.2
import PackageDescription

let package = Package(
  name: "hearth",
  platforms: [.macOS(.v15), .iOS(.v17)],
  products: [
    .executable(name: "hearth", targets: ["hearth"]),
    .library(name: "HearthClient", targets: ["HearthClient"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
    .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
    .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/grpc/grpc-swift-2", from: "2.4.3"),
    .package(url: "https://github.com/grpc/grpc-swift-nio-transport", from: "2.9.2"),
    .package(url: "https://github.com/grpc/grpc-swift-protobuf", from: "2.4.1"),
    .package(
      url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
  ],
  targets: [
    // The system's OpenSSL; HearthTokens is its only importer.
    .systemLibrary(
      name: "COpenSSL", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),

    // What GRDB's own module of the system's SQLite leaves out; HearthStore is its only importer.
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),

    // libxcrypt, which is part of every Linux C library, for imported BCRYPT hashes.
    .systemLibrary(name: "CCrypt", providers: [.apt(["libcrypt-dev"])]),

    // Nouns every other room speaks in: errors, routes, JSON, the context of an operation.
    .target(
      name: "HearthCore", dependencies: [.product(name: "Logging", package: "swift-log")]),
    .target(
      name: "HearthTokens",
      dependencies: [
        "COpenSSL", "HearthCore", .target(name: "CCrypt", condition: .when(platforms: [.linux])),
      ]),
    // The only importer of GRDB.
    .target(
      name: "HearthStore",
      dependencies: [
        "CSQLite", "HearthCore", .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ]),
    .target(name: "Mailbox", dependencies: ["HearthCore", "HearthStore"]),
    .target(
      name: "IdentityToolkit",
      dependencies: [
        "Dialects", "HearthCore", "HearthStore", "HearthTokens", "Mailbox",
        .product(name: "Logging", package: "swift-log"),
      ]),

    // Password-reset APIs of other back ends, as data.
    .target(name: "Dialects", dependencies: ["HearthCore"]),

    // The web console; the script beside it embeds the files of web/.
    .target(name: "Console", exclude: ["embed", "web"]),

    // How browsers stream: over hanging requests.
    .target(name: "WebChannel"),

    // Generated; the script beside it makes it anew.
    .target(
      name: "FirestoreProtos",
      dependencies: [
        "HearthCore", .product(name: "SwiftProtobuf", package: "swift-protobuf"),
      ],
      exclude: ["generate", "message-table.awk", "protos"]),
    .target(name: "FirestoreRules", dependencies: ["HearthTokens"]),
    .target(
      name: "Firestore",
      dependencies: [
        "FirestoreProtos", "FirestoreRules", "HearthCore", "HearthStore",
        .product(name: "SwiftProtobuf", package: "swift-protobuf"),
      ]),

    // The only room that knows HTTP and gRPC.
    .target(
      name: "HearthServer",
      dependencies: [
        "Console", "Dialects", "Firestore", "FirestoreProtos", "FirestoreRules", "HearthCore",
        "HearthStore",
        "HearthTokens", "IdentityToolkit", "Mailbox", "WebChannel",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHPACK", package: "swift-nio-http2"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOHTTP2", package: "swift-nio-http2"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
        .product(name: "NIOHTTPTypesHTTP2", package: "swift-nio-extras"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "SwiftProtobuf", package: "swift-protobuf"),
      ]),
    .target(name: "HearthClient"),

    .executableTarget(
      name: "hearth",
      dependencies: [
        "HearthCore", "HearthServer", "HearthStore",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "Subprocess", package: "swift-subprocess"),
        .product(
          name: "SystemPackage", package: "swift-system",
          condition: .when(platforms: [.linux])),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ],
      linkerSettings: [
        // One file that starts fast: record 0024 tells what each of these is worth. Foundation's
        // archives need the libraries, and do not name them.
        .unsafeFlags(
          [
            "-use-ld=lld", "-static-stdlib", "-lCoreFoundation", "-l_FoundationICU",
            "-l_FoundationCShims", "-l_FoundationCollections", "-Xclang-linker",
            "-Wl,--no-export-dynamic", "-Xclang-linker", "-no-pie",
          ], .when(platforms: [.linux], configuration: .release))
      ]),
    .executableTarget(
      name: "hearth-bench",
      dependencies: [
        "FirestoreProtos",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "GRPCCore", package: "grpc-swift-2"),
        .product(name: "GRPCNIOTransportHTTP2Posix", package: "grpc-swift-nio-transport"),
        .product(name: "GRPCProtobuf", package: "grpc-swift-protobuf"),
        .product(name: "SwiftProtobuf", package: "swift-protobuf"),
      ]),

    .testTarget(name: "DialectsTests", dependencies: ["Dialects", "HearthCore"]),
    .testTarget(
      name: "FirestoreTests",
      dependencies: [
        "Firestore", "FirestoreProtos", "HearthCore", "HearthStore",
        .product(name: "SwiftProtobuf", package: "swift-protobuf"),
      ]),
    .testTarget(name: "FirestoreRulesTests", dependencies: ["FirestoreRules"]),
    .testTarget(name: "HearthCoreTests", dependencies: ["HearthCore"]),
    .testTarget(name: "HearthStoreTests", dependencies: ["HearthCore", "HearthStore"]),
    .testTarget(name: "HearthTokensTests", dependencies: ["HearthCore", "HearthTokens"]),
    .testTarget(name: "WebChannelTests", dependencies: ["WebChannel"]),
    .testTarget(
      name: "MailboxTests",
      dependencies: [
        "HearthCore", "HearthStore", "IdentityToolkit", "Mailbox",
        .product(name: "Logging", package: "swift-log"),
      ]),
    .testTarget(
      name: "HearthServerTests",
      dependencies: [
        "HearthCore", "HearthServer", "HearthStore", "HearthTokens", "IdentityToolkit",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ]),
    .testTarget(
      name: "HearthClientTests",
      dependencies: [
        "HearthClient", "HearthCore", "HearthServer", "HearthTokens",
        .product(name: "Logging", package: "swift-log"),
      ]),
    // Reads the sources: imports, sizes, and what no file may contain.
    .testTarget(name: "HouseRulesTests"),
  ]
)

// Set by Tests/run, and worth setting while working on Hearth. It is off for users, whose newer
// compiler may have more warnings.
let warningsAreErrors = Context.environment["HEARTH_WARNINGS_AS_ERRORS"] != nil

for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
  if warningsAreErrors { target.swiftSettings?.append(.treatAllWarnings(as: .error)) }
}
