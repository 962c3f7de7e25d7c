// swift-tools-version:6.2
import PackageDescription

/// What only the server needs: a package that uses HearthClient with `traits: []` resolves none of it.
let server = TargetDependencyCondition.when(traits: ["Server"])

let package = Package(
  name: "hearth",
  platforms: [.macOS(.v15), .iOS(.v17)],
  products: [
    .executable(name: "hearth", targets: ["hearth"]),
    .library(name: "HearthClient", targets: ["HearthClient"]),
    .library(name: "HearthTesting", targets: ["HearthTesting"]),
    .library(name: "HearthServer", targets: ["HearthServer"]),
  ],
  traits: [
    .trait(
      name: "Server",
      description: "The server, its command and what they depend on. HearthClient needs none of it."
    ),
    .default(enabledTraits: ["Server"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
    .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    // Without traits: one of them, on by default, brings all of Foundation into the binary.
    .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0", traits: []),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
  ],
  targets: [
    // The system's OpenSSL; HearthCrypto, HearthTokens and HearthTLS are its only importers.
    .systemLibrary(
      name: "CHearthOpenSSL", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),

    // The system's SQLite; HearthSQLite is its only importer.
    .systemLibrary(name: "CHearthSQLite", providers: [.apt(["libsqlite3-dev"])]),

    // The system's zlib, which swift-nio-extras links too; HearthWire is its only importer.
    .systemLibrary(name: "CHearthZlib", providers: [.apt(["zlib1g-dev"])]),

    // The commit that `hearth --version` tells; docker/release gives it.
    .target(name: "CHearthBuild"),
    // System calls that Swift's module of the C library leaves out; hearth is its only importer.
    .systemLibrary(name: "CHearthNamespace"),

    // JSON, text, URLs and field masks as they are on the wire.
    .target(name: "HearthWire", dependencies: ["CHearthZlib"]),
    // Every bound of the service, with its source and its refusal.
    .target(name: "HearthLimits"),
    // Regular expressions whose time is bounded by text and pattern.
    .target(name: "HearthRegex"),
    // Times, durations and clocks.
    .target(name: "HearthTime"),
    // The error table, and the refusal that every room throws.
    .target(name: "HearthErrors", dependencies: ["HearthWire"]),
    // What HTML pages are made of, and the headers that they are sent with.
    .target(name: "HearthPages", exclude: ["web"], plugins: ["HearthEmbedPlugin"]),
    // Digests, password hashes, random bytes.
    .target(name: "HearthCrypto", dependencies: ["CHearthOpenSSL"]),
    // Signing keys and JSON Web Tokens.
    .target(
      name: "HearthTokens",
      dependencies: ["CHearthOpenSSL", "HearthCrypto", "HearthTime", "HearthWire"]),
    // Service accounts: their key files, what they sign, and the access tokens that they get.
    .target(
      name: "HearthServiceAccounts",
      dependencies: ["HearthCrypto", "HearthTime", "HearthTokens", "HearthWire"]),
    // App Check: tokens for apps, what manages them, and who may pass with one.
    .target(
      name: "HearthAppCheck",
      dependencies: [
        "HearthCrypto", "HearthErrors", "HearthOperations", "HearthServiceAccounts",
        "HearthSQLite", "HearthTime", "HearthTokens", "HearthWire",
      ]),
    // Certificates, and the contexts of TLS.
    .target(
      name: "HearthTLS",
      dependencies: [
        "CHearthOpenSSL", "HearthCrypto", "HearthTime",
        .product(name: "NIOCore", package: "swift-nio", condition: server),
        .product(name: "NIOSSL", package: "swift-nio-ssl", condition: server),
      ]),
    // The server's side of an SMTP connection, without the connection.
    .target(name: "HearthSMTP", dependencies: ["HearthWire"]),
    // The database file, its transactions and its migrations.
    .target(name: "HearthSQLite", dependencies: ["CHearthSQLite", "HearthErrors"]),
    // What an operation is, what it can reach, and the rows of the route table.
    .target(
      name: "HearthOperations",
      dependencies: [
        "HearthCrypto", "HearthErrors", "HearthLimits", "HearthServiceAccounts", "HearthSQLite",
        "HearthTime", "HearthTokens", "HearthWire",
        .product(name: "Logging", package: "swift-log", condition: server),
      ]),
    // Mails as RFC 5322 and MIME text: read, written, and searched for codes and links.
    .target(name: "HearthMime", dependencies: ["HearthRegex", "HearthWire"]),
    // The send APIs of mail providers: what they take, and what they answer.
    .target(name: "HearthMailAPI", dependencies: ["HearthMime", "HearthWire"]),
    .target(
      name: "HearthMailbox",
      dependencies: [
        "HearthCrypto", "HearthErrors", "HearthMime", "HearthOperations", "HearthPages",
        "HearthSQLite", "HearthTime", "HearthWire",
      ], exclude: ["web"], plugins: ["HearthEmbedPlugin"]),
    // Cloud Messaging: what a message may say, devices, topics, and what platforms get.
    .target(
      name: "HearthPush",
      dependencies: [
        "HearthCrypto", "HearthErrors", "HearthMailbox", "HearthMime", "HearthOperations",
        "HearthPages", "HearthSQLite", "HearthTime", "HearthWire",
      ]),
    // The gateways of text messages: what they take, and what they answer.
    .target(
      name: "HearthSMSAPI",
      dependencies: ["HearthCrypto", "HearthMime", "HearthTime", "HearthWire"]),
    // The projects of a server that several people share: tokens, ends, quotas.
    .target(
      name: "HearthSharing",
      dependencies: [
        "HearthCrypto", "HearthErrors", "HearthOperations", "HearthPages", "HearthSQLite",
        "HearthTime", "HearthTransport", "HearthWire",
        .product(name: "HTTPTypes", package: "swift-http-types", condition: server),
        .product(name: "Logging", package: "swift-log", condition: server),
      ]),
    // SAML 2.0: its messages, XML as far as they need it, and signatures.
    .target(
      name: "HearthSAML",
      dependencies: ["HearthCrypto", "HearthTime", "HearthTokens", "HearthWire"]),
    // Identity providers that live here: OAuth 2, OpenID Connect and SAML.
    .target(
      name: "HearthIdentityProviders",
      dependencies: [
        "HearthCrypto", "HearthErrors", "HearthOperations", "HearthPages", "HearthSAML",
        "HearthSQLite",
        "HearthTime", "HearthTokens", "HearthWire",
      ]),
    .target(
      name: "HearthIdentityToolkit",
      dependencies: [
        "HearthCrypto", "HearthDialects", "HearthErrors",
        "HearthIdentityProviders", "HearthLimits",
        "HearthMailbox", "HearthOperations", "HearthPages", "HearthSAML", "HearthServiceAccounts",
        "HearthSQLite", "HearthTime", "HearthTokens", "HearthWire",
      ], exclude: ["web"], plugins: ["HearthEmbedPlugin"]),

    // What only an emulator has of Auth: action pages, captured codes, app links, acting as a user.
    .target(
      name: "HearthAuthControl",
      dependencies: [
        "HearthCrypto", "HearthErrors", "HearthIdentityToolkit", "HearthMailbox",
        "HearthOperations", "HearthPages", "HearthServiceAccounts", "HearthSQLite", "HearthTime",
        "HearthWire",
      ]),
    // The accounts of projects for people: lists, searches, changes of many.
    .target(
      name: "HearthDirectory",
      dependencies: [
        "HearthErrors", "HearthIdentityToolkit", "HearthOperations", "HearthSQLite", "HearthTime",
        "HearthWire",
      ]),

    // Password-reset APIs of other back ends, as data.
    .target(
      name: "HearthDialects",
      dependencies: ["HearthCrypto", "HearthErrors", "HearthPages", "HearthTime", "HearthWire"]),

    // The web console.
    .target(
      name: "HearthConsole", dependencies: ["HearthCrypto", "HearthPages", "HearthWire"],
      exclude: ["web"], plugins: ["HearthEmbedPlugin"]),

    // How browsers stream: over hanging requests.
    .target(name: "HearthWebChannel", dependencies: ["HearthWire"]),

    // The Model Context Protocol, and the tools of agents.
    .target(
      name: "HearthMCP", dependencies: ["HearthWire"], exclude: ["web"],
      plugins: ["HearthEmbedPlugin"]),

    // QR codes, for terminals and pages.
    .target(name: "HearthQR"),
    // YAML, as far as seeds need it.
    .target(name: "HearthYAML", dependencies: ["HearthWire"]),

    // Generated by the script beside it.
    .target(
      name: "HearthFirestoreProtos",
      dependencies: [
        "HearthWire", .product(name: "SwiftProtobuf", package: "swift-protobuf", condition: server),
      ],
      exclude: ["generate", "message-table.awk", "protos"]),
    // The official tool suite's folder of an export: its files, their framing and their records.
    // The servers of a user that run, as files.
    .target(name: "HearthInstances", dependencies: ["HearthWire"]),
    // The official suite's other emulators as a child: its settings, arguments, log and exports.
    .target(name: "HearthSuite", dependencies: ["HearthWire"]),
    .target(
      name: "HearthExports",
      dependencies: [
        "HearthFirestoreProtos", "HearthWire",
        .product(name: "SwiftProtobuf", package: "swift-protobuf", condition: server),
      ],
      exclude: ["Protos/generate", "Protos/protos"]),
    // Firestore's messages as JSON, and JSON as messages.
    .target(
      name: "HearthFirestoreJSON",
      dependencies: [
        "HearthErrors", "HearthFirestoreProtos", "HearthTime", "HearthWire",
        .product(name: "SwiftProtobuf", package: "swift-protobuf", condition: server),
      ]),
    .target(
      name: "HearthFirestoreRules", dependencies: ["HearthLimits", "HearthRegex", "HearthTime"]),
    // Which indexes a query needs, and whether a project has them.
    .target(name: "HearthIndexes", dependencies: ["HearthLimits", "HearthWire"]),
    .target(
      name: "HearthFirestore",
      dependencies: [
        "HearthCrypto", "HearthErrors", "HearthFirestoreJSON", "HearthFirestoreProtos",
        "HearthFirestoreRules",
        "HearthIndexes", "HearthLimits", "HearthOperations", "HearthSQLite", "HearthTime",
        "HearthWire",
        .product(name: "SwiftProtobuf", package: "swift-protobuf", condition: server),
      ]),

    // Which events go to which functions and webhooks, and what the requests say.
    .target(
      name: "HearthTriggers",
      dependencies: [
        "HearthCrypto", "HearthErrors", "HearthFirestore", "HearthFirestoreJSON",
        "HearthFirestoreProtos",
        "HearthOperations", "HearthTime", "HearthWire",
        .product(name: "SwiftProtobuf", package: "swift-protobuf", condition: server),
      ]),

    // Documents that become mails.
    .target(
      name: "HearthTriggerEmail",
      dependencies: [
        "HearthCrypto", "HearthErrors", "HearthFirestore", "HearthFirestoreJSON",
        "HearthFirestoreProtos", "HearthMailbox",
        "HearthMime", "HearthSQLite", "HearthTime", "HearthWire",
        .product(name: "Logging", package: "swift-log", condition: server),
      ]),

    // What comes in over sockets and what goes back: HTTP/1.1, HTTP/2, gRPC, TLS.
    .target(
      name: "HearthTransport",
      dependencies: [
        "HearthErrors", "HearthOperations", "HearthPages", "HearthTokens", "HearthWire",
        .product(name: "HTTPTypes", package: "swift-http-types", condition: server),
        .product(name: "Logging", package: "swift-log", condition: server),
        .product(name: "NIOCore", package: "swift-nio", condition: server),
        .product(name: "NIOExtras", package: "swift-nio-extras", condition: server),
        .product(name: "NIOHPACK", package: "swift-nio-http2", condition: server),
        .product(name: "NIOHTTP1", package: "swift-nio", condition: server),
        .product(name: "NIOHTTP2", package: "swift-nio-http2", condition: server),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras", condition: server),
        .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras", condition: server),
        .product(name: "NIOHTTPTypesHTTP2", package: "swift-nio-extras", condition: server),
        .product(name: "NIOPosix", package: "swift-nio", condition: server),
        .product(name: "NIOSSL", package: "swift-nio-ssl", condition: server),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: server),
        .product(name: "SwiftProtobuf", package: "swift-protobuf", condition: server),
      ]),
    // Everything that can be set: flags, variables, firebase.json, and the files that they name.
    .target(
      name: "HearthSettings",
      dependencies: [
        "HearthExports", "HearthFirestore", "HearthFirestoreRules",
        "HearthIndexes", "HearthOperations", "HearthServiceAccounts", "HearthSharing", "HearthTime",
        "HearthTokens",
        "HearthTransport", "HearthTriggerEmail", "HearthWire",
        .product(name: "Logging", package: "swift-log", condition: server),
        .product(name: "NIOCore", package: "swift-nio", condition: server),
      ]),
    // The request log, and the faults that tests ask for.
    .target(
      name: "HearthObservation",
      dependencies: [
        "HearthCrypto", "HearthErrors", "HearthFirestore", "HearthMailAPI", "HearthMailbox",
        "HearthOperations", "HearthSMSAPI", "HearthSMTP", "HearthSQLite", "HearthTime",
        "HearthTransport", "HearthWire",
        .product(name: "HTTPTypes", package: "swift-http-types", condition: server),
        .product(name: "Logging", package: "swift-log", condition: server),
      ]),
    // Mails and texts that apps send by themselves: SMTP, its relay, and the port of the send APIs.
    .target(
      name: "HearthMailIn",
      dependencies: [
        "HearthCrypto", "HearthErrors", "HearthIdentityToolkit", "HearthMailAPI", "HearthMailbox",
        "HearthMime", "HearthObservation", "HearthOperations", "HearthSettings", "HearthSharing",
        "HearthSMSAPI", "HearthSMTP", "HearthSQLite", "HearthTime", "HearthTLS",
        "HearthTransport", "HearthTriggerEmail", "HearthWire",
        .product(name: "HTTPTypes", package: "swift-http-types", condition: server),
        .product(name: "Logging", package: "swift-log", condition: server),
        .product(name: "NIOCore", package: "swift-nio", condition: server),
        .product(name: "NIOExtras", package: "swift-nio-extras", condition: server),
        .product(name: "NIOPosix", package: "swift-nio", condition: server),
        .product(name: "NIOSSL", package: "swift-nio-ssl", condition: server),
        .product(name: "NIOTLS", package: "swift-nio", condition: server),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: server),
      ]),
    // Whole projects as files: exports and imports, and seeds.
    .target(
      name: "HearthSeeds",
      dependencies: [
        "HearthAppCheck", "HearthCrypto", "HearthErrors", "HearthExports", "HearthFirestore",
        "HearthFirestoreJSON", "HearthFirestoreProtos",
        "HearthIdentityProviders", "HearthIdentityToolkit", "HearthObservation",
        "HearthOperations", "HearthPush", "HearthSQLite", "HearthTime", "HearthWire", "HearthYAML",
        .product(name: "Logging", package: "swift-log", condition: server),
        .product(name: "SwiftProtobuf", package: "swift-protobuf", condition: server),
      ]),
    // The delivery of events to functions and webhooks.
    .target(
      name: "HearthEvents",
      dependencies: [
        "HearthCrypto", "HearthErrors", "HearthFirestore", "HearthMailbox", "HearthObservation",
        "HearthOperations", "HearthServiceAccounts", "HearthSettings", "HearthSQLite",
        "HearthTime", "HearthTransport", "HearthTriggers", "HearthWire",
        .product(name: "HTTPTypes", package: "swift-http-types", condition: server),
        .product(name: "Logging", package: "swift-log", condition: server),
      ]),
    // The endpoints that steer and observe a server, one file each, and what an endpoint of the server is.
    .target(
      name: "HearthControl",
      dependencies: [
        "HearthAppCheck", "HearthAuthControl", "HearthConsole", "HearthCrypto", "HearthDirectory",
        "HearthErrors", "HearthEvents", "HearthExports", "HearthFirestore", "HearthFirestoreJSON",
        "HearthFirestoreProtos", "HearthFirestoreRules", "HearthIdentityProviders",
        "HearthIdentityToolkit",
        "HearthIndexes", "HearthMailbox", "HearthMailIn", "HearthMCP", "HearthObservation",
        "HearthOperations", "HearthPages", "HearthPush", "HearthQR", "HearthSeeds",
        "HearthSettings", "HearthSharing", "HearthSQLite", "HearthTime", "HearthTLS",
        "HearthTokens", "HearthTransport", "HearthTriggerEmail", "HearthTriggers", "HearthWire",
        "HearthYAML",
        .product(name: "HTTPTypes", package: "swift-http-types", condition: server),
        .product(name: "Logging", package: "swift-log", condition: server),
        .product(name: "NIOCore", package: "swift-nio", condition: server),
        .product(name: "NIOPosix", package: "swift-nio", condition: server),
        .product(name: "SwiftProtobuf", package: "swift-protobuf", condition: server),
      ]),
    // Google's other hosts: OAuth, the metadata server, published keys, the proxy.
    .target(
      name: "HearthGoogle",
      dependencies: [
        "HearthControl", "HearthCrypto", "HearthErrors", "HearthIdentityProviders", "HearthMailIn",
        "HearthObservation", "HearthOperations", "HearthServiceAccounts", "HearthSettings",
        "HearthTime", "HearthTLS", "HearthTokens", "HearthTransport", "HearthWire",
        .product(name: "HTTPTypes", package: "swift-http-types", condition: server),
        .product(name: "Logging", package: "swift-log", condition: server),
        .product(name: "NIOCore", package: "swift-nio", condition: server),
      ]),
    // Puts the rooms together, and serves.
    .target(
      name: "HearthServer",
      dependencies: [
        "HearthAppCheck", "HearthAuthControl", "HearthControl", "HearthDialects",
        "HearthDirectory", "HearthErrors", "HearthEvents", "HearthExports", "HearthFirestore",
        "HearthFirestoreJSON", "HearthFirestoreProtos", "HearthFirestoreRules", "HearthGoogle",
        "HearthIdentityProviders", "HearthIdentityToolkit", "HearthInstances", "HearthLimits",
        "HearthMailbox", "HearthMailIn", "HearthObservation", "HearthOperations", "HearthPages",
        "HearthPush", "HearthSeeds", "HearthServiceAccounts", "HearthSettings", "HearthSharing",
        "HearthSQLite", "HearthTime", "HearthTLS", "HearthTokens", "HearthTransport",
        "HearthTriggerEmail", "HearthTriggers", "HearthWebChannel", "HearthWire",
        .product(name: "AsyncHTTPClient", package: "async-http-client", condition: server),
        .product(name: "HTTPTypes", package: "swift-http-types", condition: server),
        .product(name: "Logging", package: "swift-log", condition: server),
        .product(name: "NIOCore", package: "swift-nio", condition: server),
        .product(name: "NIOHTTP1", package: "swift-nio", condition: server),
        .product(name: "NIOPosix", package: "swift-nio", condition: server),
        .product(name: "NIOSSL", package: "swift-nio-ssl", condition: server),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: server),
        .product(name: "SwiftProtobuf", package: "swift-protobuf", condition: server),
      ], exclude: ["web"], plugins: ["HearthEmbedPlugin"]),
    .target(name: "HearthClient"),
    // Traits and base classes of tests. Links what the toolchain has of Swift Testing and XCTest.
    .target(name: "HearthTesting", dependencies: ["HearthClient"]),

    // Compile the files of a target's web folder into it.
    .plugin(
      name: "HearthEmbedPlugin", capability: .buildTool(), path: "Sources/HearthEmbed/Plugin"),

    .executableTarget(
      name: "hearth",
      dependencies: [
        "CHearthBuild", "CHearthNamespace", "HearthGoogle", "HearthIndexes", "HearthInstances",
        "HearthLimits", "HearthMCP", "HearthOperations", "HearthQR", "HearthServer",
        "HearthServiceAccounts", "HearthSettings", "HearthSuite", "HearthTime", "HearthTransport",
        "HearthWire", "HearthYAML",
        .product(name: "ArgumentParser", package: "swift-argument-parser", condition: server),
        .product(name: "AsyncHTTPClient", package: "async-http-client", condition: server),
        .product(name: "Logging", package: "swift-log", condition: server),
        .product(name: "NIOCore", package: "swift-nio", condition: server),
        .product(name: "NIOHTTP1", package: "swift-nio", condition: server),
        .product(name: "NIOPosix", package: "swift-nio", condition: server),
        .product(name: "NIOSSL", package: "swift-nio-ssl", condition: server),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: server),
        .product(name: "Subprocess", package: "swift-subprocess", condition: server),
        .product(name: "SystemPackage", package: "swift-system", condition: server),
        .product(name: "UnixSignals", package: "swift-service-lifecycle", condition: server),
      ],
      exclude: ["unwinding.ld", "web"],
      // Commands run once; what is fast is in the libraries.
      swiftSettings: [.unsafeFlags(["-Osize"], .when(configuration: .release))],
      linkerSettings: [
        // One file that starts fast: record 0024 tells what each of these is worth. The archive of
        // FoundationEssentials needs the two libraries, and does not name them.
        .unsafeFlags(
          [
            "-use-ld=lld", "-static-stdlib", "-l_FoundationCShims", "-l_FoundationCollections",
            "-Xclang-linker", "-Wl,--no-export-dynamic",
            "-Xclang-linker", "-Wl,--no-eh-frame-hdr",
            "-Xclang-linker", "-Wl,\(Context.packageDirectory)/Sources/hearth/unwinding.ld",
          ], .when(platforms: [.linux], configuration: .release))
      ],
      plugins: ["HearthEmbedPlugin"]),
    .executableTarget(
      name: "hearth-bench",
      dependencies: [
        "HearthExports", "HearthFirestoreProtos",
        .product(name: "ArgumentParser", package: "swift-argument-parser", condition: server),
        .product(name: "NIOCore", package: "swift-nio", condition: server),
        .product(name: "NIOHPACK", package: "swift-nio-http2", condition: server),
        .product(name: "NIOHTTP2", package: "swift-nio-http2", condition: server),
        .product(name: "NIOPosix", package: "swift-nio", condition: server),
        .product(name: "SwiftProtobuf", package: "swift-protobuf", condition: server),
      ]),

    // What tests share: clocks, servers and stores in memory, HTTP requests.
    .target(
      name: "HearthTestSupport",
      dependencies: [
        "HearthCrypto", "HearthErrors", "HearthOperations", "HearthServer", "HearthSettings",
        "HearthSQLite", "HearthTime", "HearthTokens", "HearthTransport", "HearthWire",
        .product(name: "AsyncHTTPClient", package: "async-http-client", condition: server),
        .product(name: "Logging", package: "swift-log", condition: server),
        .product(name: "NIOCore", package: "swift-nio", condition: server),
        .product(name: "NIOHTTP1", package: "swift-nio", condition: server),
      ],
      path: "Tests/Support"),
    .testTarget(
      name: "HearthAppCheckTests",
      dependencies: [
        "HearthAppCheck", "HearthCrypto", "HearthErrors", "HearthOperations", "HearthTestSupport",
        "HearthTokens", "HearthWire",
      ]),
    .testTarget(name: "HearthCryptoTests", dependencies: ["HearthCrypto"]),
    .testTarget(
      name: "HearthDialectsTests",
      dependencies: [
        "HearthDialects", "HearthCrypto", "HearthErrors", "HearthPages", "HearthTestSupport",
        "HearthTime", "HearthWire",
      ]),
    .testTarget(
      name: "HearthExportsTests",
      dependencies: [
        "HearthCrypto", "HearthErrors", "HearthExports", "HearthFirestore",
        "HearthFirestoreJSON", "HearthFirestoreProtos", "HearthSQLite", "HearthTestSupport",
        "HearthTime", "HearthWire",
        .product(name: "SwiftProtobuf", package: "swift-protobuf", condition: server),
      ]),
    .testTarget(
      name: "HearthFirestoreTests",
      dependencies: [
        "HearthControl", "HearthCrypto", "HearthErrors", "HearthFirestore", "HearthFirestoreJSON",
        "HearthFirestoreProtos", "HearthFirestoreRules", "HearthLimits", "HearthOperations",
        "HearthServer", "HearthSQLite", "HearthTestSupport", "HearthTime", "HearthWire",
        .product(name: "SwiftProtobuf", package: "swift-protobuf", condition: server),
      ]),
    .testTarget(
      name: "HearthFirestoreRulesTests",
      dependencies: ["HearthFirestoreRules", "HearthCrypto", "HearthTestSupport"]),
    .testTarget(
      name: "HearthIndexesTests",
      dependencies: ["HearthCrypto", "HearthIndexes", "HearthTestSupport", "HearthWire"]),
    .testTarget(
      name: "HearthIdentityProvidersTests",
      dependencies: [
        "HearthCrypto", "HearthErrors", "HearthIdentityProviders", "HearthTestSupport",
        "HearthWire",
      ]),
    .testTarget(
      name: "HearthSharingTests",
      dependencies: [
        "HearthErrors", "HearthSharing", "HearthTestSupport", "HearthTime", "HearthWire",
      ]),
    .testTarget(
      name: "HearthInstancesTests",
      dependencies: ["HearthInstances", "HearthWire"]),
    .testTarget(
      name: "HearthSuiteTests", dependencies: ["HearthSuite", "HearthWire"]),
    .testTarget(
      name: "HearthIdentityToolkitTests",
      dependencies: [
        "HearthCrypto", "HearthErrors", "HearthIdentityToolkit", "HearthMailbox",
        "HearthOperations", "HearthSQLite", "HearthTestSupport", "HearthTime",
        "HearthTokens", "HearthWire",
        .product(name: "Logging", package: "swift-log", condition: server),
      ]),
    .testTarget(
      name: "HearthOperationsTests",
      dependencies: [
        "HearthErrors", "HearthOperations", "HearthTestSupport", "HearthTime", "HearthTokens",
        "HearthWire",
      ]),
    .testTarget(
      name: "HearthWireTests",
      dependencies: [
        "HearthCrypto", "HearthErrors", "HearthOperations", "HearthTestSupport", "HearthTime",
        "HearthWire",
      ]),
    .testTarget(
      name: "HearthSQLiteTests",
      dependencies: ["HearthErrors", "HearthOperations", "HearthSQLite", "HearthTestSupport"]),
    .testTarget(name: "HearthQRTests", dependencies: ["HearthQR"]),
    .testTarget(
      name: "HearthYAMLTests",
      dependencies: ["HearthCrypto", "HearthTestSupport", "HearthWire", "HearthYAML"]),
    .testTarget(
      name: "HearthRegexTests", dependencies: ["HearthCrypto", "HearthRegex", "HearthTestSupport"]),
    .testTarget(
      name: "HearthSAMLTests",
      dependencies: [
        "HearthCrypto", "HearthSAML", "HearthTestSupport", "HearthTime", "HearthTokens",
        "HearthWire",
      ]),
    .testTarget(
      name: "HearthSMTPTests", dependencies: ["HearthCrypto", "HearthSMTP", "HearthTestSupport"]),
    .testTarget(
      name: "HearthTLSTests",
      dependencies: [
        "HearthTLS", "HearthTestSupport", "HearthTime",
        .product(name: "NIOSSL", package: "swift-nio-ssl", condition: server),
      ]),
    .testTarget(
      name: "HearthTokensTests",
      dependencies: [
        "HearthCrypto", "HearthTestSupport", "HearthTime", "HearthTokens", "HearthWire",
      ]
    ),
    .testTarget(
      name: "HearthTriggerEmailTests",
      dependencies: [
        "HearthErrors", "HearthFirestore", "HearthFirestoreJSON", "HearthFirestoreProtos",
        "HearthMailbox", "HearthMime",
        "HearthOperations", "HearthSQLite", "HearthTestSupport", "HearthTime", "HearthTriggerEmail",
        "HearthWire", .product(name: "Logging", package: "swift-log", condition: server),
      ]),
    .testTarget(
      name: "HearthTriggersTests",
      dependencies: [
        "HearthCrypto", "HearthErrors", "HearthOperations", "HearthTime", "HearthTriggers",
        "HearthWire",
      ]),
    .testTarget(
      name: "HearthWebChannelTests",
      dependencies: ["HearthTestSupport", "HearthWebChannel", "HearthWire"]),
    .testTarget(
      name: "HearthServiceAccountsTests",
      dependencies: [
        "HearthCrypto", "HearthServiceAccounts", "HearthTestSupport", "HearthTime", "HearthTokens",
        "HearthWire",
      ]),
    .testTarget(
      name: "HearthMCPTests",
      dependencies: ["HearthCrypto", "HearthMCP", "HearthTestSupport", "HearthWire"]),
    .testTarget(
      name: "HearthMimeTests",
      dependencies: ["HearthCrypto", "HearthMime", "HearthTestSupport", "HearthWire"]),
    .testTarget(
      name: "HearthPushTests",
      dependencies: [
        "HearthCrypto", "HearthErrors", "HearthPush", "HearthSQLite", "HearthTestSupport",
        "HearthWire",
      ]),
    .testTarget(
      name: "HearthSMSAPITests",
      dependencies: [
        "HearthCrypto", "HearthSMSAPI", "HearthTestSupport", "HearthTime", "HearthWire",
      ]),
    .testTarget(
      name: "HearthMailAPITests",
      dependencies: ["HearthMailAPI", "HearthMime", "HearthWire"]),
    .testTarget(
      name: "HearthMailboxTests",
      dependencies: [
        "HearthErrors", "HearthIdentityToolkit", "HearthMailbox", "HearthOperations",
        "HearthPages", "HearthSQLite", "HearthTestSupport", "HearthTime", "HearthWire",
      ]),
    .testTarget(
      name: "HearthServerTests",
      dependencies: [
        "HearthControl", "HearthCrypto", "HearthErrors", "HearthEvents", "HearthFirestore",
        "HearthFirestoreProtos", "HearthGoogle", "HearthMailbox", "HearthMailIn",
        "HearthObservation", "HearthOperations", "HearthSeeds", "HearthServer",
        "HearthServiceAccounts", "HearthSettings", "HearthSharing", "HearthSMTP", "HearthSQLite",
        "HearthTestSupport", "HearthTime", "HearthTLS", "HearthTokens", "HearthTransport",
        "HearthTriggerEmail", "HearthTriggers", "HearthWire", "HearthYAML",
        .product(name: "AsyncHTTPClient", package: "async-http-client", condition: server),
        .product(name: "HTTPTypes", package: "swift-http-types", condition: server),
        .product(name: "Logging", package: "swift-log", condition: server),
        .product(name: "NIOCore", package: "swift-nio", condition: server),
        .product(name: "NIOEmbedded", package: "swift-nio", condition: server),
        .product(name: "NIOHTTP1", package: "swift-nio", condition: server),
        .product(name: "NIOPosix", package: "swift-nio", condition: server),
        .product(name: "NIOSSL", package: "swift-nio-ssl", condition: server),
        .product(name: "SwiftProtobuf", package: "swift-protobuf", condition: server),
      ]),
    .testTarget(
      name: "HearthClientTests",
      dependencies: [
        "HearthClient", "HearthServer", "HearthSettings", "HearthTestSupport", "HearthTime",
        "HearthTransport", "HearthWire",
        .product(name: "Logging", package: "swift-log", condition: server),
      ]),
    .testTarget(
      name: "HearthTestingTests", dependencies: ["HearthClient", "HearthServer", "HearthTesting"]),
    // Reads the sources: imports, sizes, and what no file may contain.
    .testTarget(name: "HouseRulesTests"),
  ]
)

// Set by Tests/run, and worth setting while working on Hearth. It is off for users, whose newer
// compiler may have more warnings.
let warningsAreErrors = Context.environment["HEARTH_WARNINGS_AS_ERRORS"] != nil

for target in package.targets where target.type != .system && target.type != .plugin {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .swiftLanguageMode(.v6),
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
    ]
  if warningsAreErrors { target.swiftSettings?.append(.treatAllWarnings(as: .error)) }
}
