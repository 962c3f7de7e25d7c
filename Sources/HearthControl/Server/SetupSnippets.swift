/// What apps have to set, with the addresses filled in.
///
/// Over TLS the Auth SDKs of iOS, Android and Flutter cannot be sent to Hearth: their emulator settings
/// speak plain HTTP.
struct SetupSnippets {
  struct Section {
    let title: String
    let text: String
  }

  let host: String
  let authPort: Int
  let firestorePort: Int
  let isSecure: Bool

  var sections: [Section] {
    isSecure
      ? [
        Section(title: "Web", text: secureWeb),
        Section(
          title: "Android: res/xml/network_security_config.xml", text: Self.userCertificates),
        Section(title: "Android: AndroidManifest.xml", text: Self.manifest),
        Section(title: "Android: Kotlin", text: secureKotlin),
        Section(title: "Flutter on Android: Dart", text: secureDart),
        Section(title: "Not over TLS", text: Self.missing),
      ]
      : [
        Section(title: "iOS: Info.plist", text: Self.plist),
        Section(title: "iOS: Swift", text: swift),
        Section(title: "Android: res/xml/network_security_config.xml", text: networkSecurity),
        Section(title: "Android: AndroidManifest.xml", text: Self.manifest),
        Section(title: "Android: Kotlin", text: kotlin),
        Section(title: "Flutter: Dart", text: dart),
        Section(title: "Web", text: web),
      ]
  }

  private static let manifest =
    "<application android:networkSecurityConfig=\"@xml/network_security_config\" …>"

  // MARK: Without TLS

  private static let plist = """
    <key>NSAppTransportSecurity</key>
    <dict>
      <key>NSAllowsLocalNetworking</key>
      <true/>
    </dict>
    <key>NSLocalNetworkUsageDescription</key>
    <string>Connects to the emulators on the developer's machine.</string>
    """

  private var swift: String {
    """
    Auth.auth().useEmulator(withHost: "\(host)", port: \(authPort))
    let settings = Firestore.firestore().settings
    settings.host = "\(host):\(firestorePort)"
    settings.isSSLEnabled = false
    settings.cacheSettings = MemoryCacheSettings()
    Firestore.firestore().settings = settings
    """
  }

  private var networkSecurity: String {
    """
    <?xml version="1.0" encoding="utf-8"?>
    <network-security-config>
      <domain-config cleartextTrafficPermitted="true">
        <domain includeSubdomains="false">\(host)</domain>
      </domain-config>
    </network-security-config>
    """
  }

  private var kotlin: String {
    """
    Firebase.auth.useEmulator("\(host)", \(authPort))
    Firebase.firestore.useEmulator("\(host)", \(firestorePort))
    """
  }

  private var dart: String {
    """
    await FirebaseAuth.instance.useAuthEmulator('\(host)', \(authPort), automaticHostMapping: false);
    FirebaseFirestore.instance.useFirestoreEmulator('\(host)', \(firestorePort),
        automaticHostMapping: false);
    """
  }

  private var web: String {
    """
    connectAuthEmulator(auth, "http://\(host):\(authPort)");
    connectFirestoreEmulator(firestore, "\(host)", \(firestorePort));
    """
  }

  // MARK: With TLS

  private var secureWeb: String {
    """
    connectAuthEmulator(auth, "https://\(host):\(authPort)");
    const firestore = initializeFirestore(app, { host: "\(host):\(firestorePort)", ssl: true });
    """
  }

  private static let userCertificates = """
    <?xml version="1.0" encoding="utf-8"?>
    <network-security-config>
      <debug-overrides>
        <trust-anchors>
          <certificates src="system" />
          <certificates src="user" />
        </trust-anchors>
      </debug-overrides>
    </network-security-config>
    """

  private var secureKotlin: String {
    """
    Firebase.firestore.firestoreSettings = firestoreSettings {
      host = "\(host):\(firestorePort)"
      isSslEnabled = true
    }
    """
  }

  private var secureDart: String {
    """
    FirebaseFirestore.instance.settings =
        const Settings(host: '\(host):\(firestorePort)', sslEnabled: true);
    """
  }

  private static let missing = """
    Auth of iOS, Android and Flutter: useEmulator speaks plain HTTP.
    Firestore of iOS: the SDK has its root certificates built in.
    For these, start Hearth without --tls.
    """
}
