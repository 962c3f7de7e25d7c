/// The rules of this package that no compiler checks. Everything that changes with the package is
/// in this file.
enum HouseRules {
  static let longestFile = 400
  /// Of Python, which has long tables of cases.
  static let longestScript = 700
  static let longestFunction = 60
  static let mostFilesInAFolder = 20
  /// Of all declarations with parameters, the share of those with two unlabelled parameters or more.
  static let twoUnlabelled = 0.03
  /// With three or more.
  static let threeUnlabelled = 0.006
  /// Lines of a target.
  static let largestTarget = 14_000
  /// Lines of folders that all use each other, directly or by way of others.
  static let largestCircle = 8_000

  /// Which modules a target may import, besides the standard library, `Foundation` and the C
  /// library. A target that is missing here fails the test.
  static let imports: [String: Set<String>] = [
    "HearthWire": ["CHearthZlib"],
    "HearthLimits": [],
    "HearthRegex": [],
    "HearthTime": [],
    "HearthErrors": ["HearthWire"],
    "HearthPages": [],
    "HearthCrypto": ["CHearthOpenSSL"],
    "HearthTokens": ["CHearthOpenSSL", "HearthCrypto", "HearthTime", "HearthWire"],
    "HearthServiceAccounts": ["HearthCrypto", "HearthTime", "HearthTokens", "HearthWire"],
    "HearthAppCheck": [
      "HearthCrypto", "HearthErrors", "HearthOperations", "HearthServiceAccounts", "HearthSQLite",
      "HearthTime", "HearthTokens", "HearthWire",
    ],
    "HearthSharing": [
      "HearthCrypto", "HearthErrors", "HearthOperations", "HearthPages", "HearthSQLite",
      "HearthTime", "HearthTransport", "HearthWire", "HTTPTypes", "Logging",
    ],
    "HearthTLS": ["CHearthOpenSSL", "HearthCrypto", "HearthTime", "NIOCore", "NIOSSL"],
    "HearthSMTP": ["HearthWire"],
    "HearthSQLite": ["CHearthSQLite", "HearthErrors"],
    "HearthOperations": [
      "HearthCrypto", "HearthErrors", "HearthLimits", "HearthServiceAccounts", "HearthSQLite",
      "HearthTime", "HearthTokens", "HearthWire", "Logging",
    ],
    "HearthMime": ["HearthRegex", "HearthWire"],
    "HearthMailAPI": ["HearthMime", "HearthWire"],
    "HearthMailbox": [
      "HearthCrypto", "HearthErrors", "HearthMime", "HearthOperations", "HearthPages",
      "HearthSQLite",
      "HearthTime", "HearthWire",
    ],
    "HearthPush": [
      "HearthCrypto", "HearthErrors", "HearthMailbox", "HearthMime", "HearthOperations",
      "HearthPages", "HearthSQLite", "HearthTime", "HearthWire",
    ],
    "HearthSMSAPI": ["HearthCrypto", "HearthMime", "HearthTime", "HearthWire"],
    "HearthDialects": ["HearthCrypto", "HearthErrors", "HearthPages", "HearthTime", "HearthWire"],
    "HearthSAML": ["HearthCrypto", "HearthTime", "HearthTokens", "HearthWire"],
    "HearthIdentityProviders": [
      "HearthCrypto", "HearthErrors", "HearthOperations", "HearthPages", "HearthSAML",
      "HearthSQLite", "HearthTime", "HearthTokens", "HearthWire",
    ],
    "HearthIdentityToolkit": [
      "HearthCrypto", "HearthDialects", "HearthErrors", "HearthIdentityProviders", "HearthLimits",
      "HearthMailbox", "HearthOperations", "HearthPages", "HearthSAML", "HearthServiceAccounts",
      "HearthSQLite", "HearthTime", "HearthTokens", "HearthWire",
    ],
    "HearthConsole": ["HearthCrypto", "HearthPages", "HearthWire"],
    "HearthMCP": ["HearthWire"],
    "HearthQR": [],
    "HearthYAML": ["HearthWire"],
    "HearthWebChannel": ["HearthWire"],
    "HearthFirestoreProtos": ["HearthWire", "SwiftProtobuf"],
    "HearthFirestoreJSON": [
      "HearthErrors", "HearthFirestoreProtos", "HearthTime", "HearthWire", "SwiftProtobuf",
    ],
    "HearthExports": ["HearthFirestoreProtos", "HearthWire", "SwiftProtobuf"],
    "HearthFirestoreRules": ["HearthLimits", "HearthRegex", "HearthTime"],
    "HearthIndexes": ["HearthLimits", "HearthWire"],
    "HearthInstances": ["HearthWire"],
    "HearthSuite": ["HearthWire"],
    "HearthFirestore": [
      "HearthCrypto", "HearthErrors", "HearthFirestoreJSON", "HearthFirestoreProtos",
      "HearthFirestoreRules", "HearthIndexes", "HearthLimits", "HearthOperations", "HearthPages",
      "HearthSQLite", "HearthTime", "HearthWire", "SwiftProtobuf",
    ],
    "HearthTriggers": [
      "HearthCrypto", "HearthErrors", "HearthFirestore", "HearthFirestoreJSON",
      "HearthFirestoreProtos", "HearthOperations", "HearthTime", "HearthWire", "SwiftProtobuf",
    ],
    "HearthTriggerEmail": [
      "HearthCrypto", "HearthErrors", "HearthFirestore", "HearthFirestoreJSON",
      "HearthFirestoreProtos", "HearthMailbox", "HearthMime", "HearthSQLite", "HearthTime",
      "HearthWire", "Logging",
    ],
    "HearthTransport": [
      "HearthErrors", "HearthOperations", "HearthPages", "HearthTokens", "HearthWire", "HTTPTypes",
      "Logging", "NIOCore", "NIOExtras", "NIOHPACK", "NIOHTTP1", "NIOHTTP2", "NIOHTTPTypes",
      "NIOHTTPTypesHTTP1", "NIOHTTPTypesHTTP2", "NIOPosix", "NIOSSL", "ServiceLifecycle",
      "SwiftProtobuf",
    ],
    "HearthSettings": [
      "HearthExports", "HearthFirestore", "HearthFirestoreRules", "HearthIndexes",
      "HearthOperations", "HearthServiceAccounts", "HearthSharing", "HearthTime", "HearthTokens",
      "HearthTransport", "HearthTriggerEmail", "HearthWire", "Logging", "NIOCore",
    ],
    "HearthObservation": [
      "HearthCrypto", "HearthErrors", "HearthFirestore", "HearthMailAPI", "HearthMailbox",
      "HearthOperations", "HearthSMSAPI", "HearthSMTP", "HearthSQLite", "HearthTime",
      "HearthTransport", "HearthWire", "HTTPTypes", "Logging",
    ],
    "HearthMailIn": [
      "HearthCrypto", "HearthErrors", "HearthIdentityToolkit", "HearthMailAPI", "HearthMailbox",
      "HearthMime", "HearthObservation", "HearthOperations", "HearthSettings", "HearthSharing",
      "HearthSMSAPI", "HearthSMTP", "HearthSQLite", "HearthTime", "HearthTLS", "HearthTransport",
      "HearthTriggerEmail", "HearthWire", "HTTPTypes", "Logging", "NIOCore", "NIOExtras",
      "NIOPosix", "NIOSSL", "NIOTLS", "ServiceLifecycle",
    ],
    "HearthSeeds": [
      "HearthAppCheck", "HearthCrypto", "HearthErrors", "HearthExports", "HearthFirestore",
      "HearthFirestoreJSON", "HearthFirestoreProtos", "HearthIdentityProviders",
      "HearthIdentityToolkit", "HearthObservation", "HearthOperations", "HearthPush",
      "HearthSQLite", "HearthTime", "HearthWire", "HearthYAML", "Logging", "SwiftProtobuf",
    ],
    "HearthEvents": [
      "HearthCrypto", "HearthErrors", "HearthFirestore", "HearthMailbox", "HearthObservation",
      "HearthOperations", "HearthServiceAccounts", "HearthSettings", "HearthSQLite", "HearthTime",
      "HearthTransport", "HearthTriggers", "HearthWire", "HTTPTypes", "Logging",
    ],
    "HearthDirectory": [
      "HearthErrors", "HearthIdentityToolkit", "HearthOperations", "HearthSQLite", "HearthTime",
      "HearthWire",
    ],
    "HearthAuthControl": [
      "HearthCrypto", "HearthErrors", "HearthIdentityToolkit", "HearthMailbox", "HearthOperations",
      "HearthPages", "HearthServiceAccounts", "HearthSQLite", "HearthTime", "HearthWire",
    ],
    "HearthControl": [
      "HearthAppCheck", "HearthAuthControl", "HearthConsole", "HearthCrypto", "HearthDirectory",
      "HearthErrors", "HearthEvents", "HearthExports", "HearthFirestore", "HearthFirestoreJSON",
      "HearthFirestoreProtos", "HearthFirestoreRules", "HearthIdentityProviders",
      "HearthIdentityToolkit", "HearthIndexes", "HearthMailbox", "HearthMailIn", "HearthMCP",
      "HearthObservation", "HearthOperations", "HearthPages", "HearthPush", "HearthQR",
      "HearthSeeds", "HearthSettings", "HearthSharing", "HearthSQLite", "HearthTime", "HearthTLS",
      "HearthTokens", "HearthTransport", "HearthTriggerEmail", "HearthTriggers", "HearthWire",
      "HearthYAML", "HTTPTypes", "Logging", "NIOCore", "NIOPosix", "SwiftProtobuf",
    ],
    "HearthGoogle": [
      "HearthControl", "HearthCrypto", "HearthErrors", "HearthIdentityProviders", "HearthMailIn",
      "HearthObservation", "HearthOperations", "HearthServiceAccounts", "HearthSettings",
      "HearthTime", "HearthTLS", "HearthTokens", "HearthTransport", "HearthWire", "HTTPTypes",
      "Logging", "NIOCore",
    ],
    "HearthServer": [
      "AsyncHTTPClient", "HearthAppCheck", "HearthAuthControl", "HearthControl", "HearthDialects",
      "HearthDirectory", "HearthErrors", "HearthEvents", "HearthExports", "HearthFirestore",
      "HearthFirestoreJSON", "HearthFirestoreProtos", "HearthFirestoreRules", "HearthGoogle",
      "HearthIdentityProviders", "HearthIdentityToolkit", "HearthInstances", "HearthLimits",
      "HearthMailbox", "HearthMailIn", "HearthObservation", "HearthOperations", "HearthPages",
      "HearthPush", "HearthSeeds", "HearthServiceAccounts", "HearthSettings", "HearthSharing",
      "HearthSQLite", "HearthTime", "HearthTLS", "HearthTokens", "HearthTransport",
      "HearthTriggerEmail", "HearthTriggers", "HearthWebChannel", "HearthWire", "HTTPTypes",
      "Logging", "NIOCore", "NIOHTTP1", "NIOPosix", "NIOSSL", "ServiceLifecycle", "SwiftProtobuf",
    ],
    "HearthClient": [],
    "HearthTesting": ["HearthClient", "Testing", "XCTest"],
    "HearthEmbed": ["PackagePlugin"],
    "hearth": [
      "ArgumentParser", "AsyncHTTPClient", "CHearthBuild", "CHearthNamespace", "HearthGoogle",
      "HearthIndexes", "HearthInstances", "HearthLimits", "HearthMCP", "HearthOperations",
      "HearthQR", "HearthServer", "HearthServiceAccounts", "HearthSettings", "HearthSuite",
      "HearthTime", "HearthTransport", "HearthWire", "HearthYAML", "Logging", "NIOCore", "NIOHTTP1",
      "NIOPosix", "NIOSSL", "ServiceLifecycle", "Subprocess", "System", "SystemPackage",
      "UnixSignals",
    ],
    "hearth-bench": [
      "ArgumentParser", "HearthExports", "HearthFirestoreProtos", "NIOCore", "NIOHPACK", "NIOHTTP2",
      "NIOPosix", "SwiftProtobuf",
    ],
  ]

  /// Modules that every target may import.
  static let everywhere: Set<String> = [
    "Darwin", "Dispatch", "Foundation", "FoundationEssentials", "FoundationNetworking", "Glibc",
    "Musl", "Synchronization",
  ]

  /// Modules that come with the toolchain, which the manifest does not name.
  static let ofTheToolchain: Set<String> = ["PackagePlugin", "System", "Testing", "XCTest"]

  /// The targets whose declarations other packages use.
  static let products: Set<String> = ["HearthClient", "HearthTesting"]

  /// What other packages use of a target that is otherwise the package's own.
  static let facades: Set<String> = [
    "Sources/HearthServer/Running/Hearth.swift",
    "Sources/HearthServer/InProcess/HearthOptions.swift",
    "Sources/HearthServer/InProcess/RunningHearth.swift",
  ]

  /// The targets that may import all of Foundation. It would bring 34 MB of ICU data into the
  /// server: elsewhere `FoundationEssentials` comes first, and `Foundation` without such a
  /// module.
  static let withFoundation: Set<String> = [
    "HearthClient", "HearthEmbed", "HearthTesting", "hearth-bench",
  ]

  /// Where the time of the machine is read.
  static let clock = "Sources/HearthTime/Clock.swift"

  /// What breaks a rule today, with its number. A number here only goes down, and a row whose
  /// number is zero is removed.
  static let known: [Rule: [String: Int]] = [
    .longFile: [:],
    .longFunction: [:],
    .largeFolder: [:],
    // In begun thousands of lines.
    .largeTarget: [:],
    // In folders.
    .circle: [:],
    .machineTime: [:],
    .publicDeclaration: [:],
    .unsafeCode: [:],
    .allOfFoundation: [:],
    .askedAnswers: ["Sources/HearthIdentityToolkit": 60],
    .projectMembers: ["ProjectTransaction": 26],
  ]

  enum Rule: Hashable {
    case longFile, longFunction, largeFolder, largeTarget, circle, machineTime, publicDeclaration,
      unsafeCode, allOfFoundation, askedAnswers, projectMembers
  }
}
