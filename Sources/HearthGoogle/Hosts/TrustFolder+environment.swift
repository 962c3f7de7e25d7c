import HearthSettings

extension TrustFolder {
  /// Where programs find what they cannot reach by the names of hosts.
  package struct Places: Sendable {
    /// `host:port` of the proxy; nil where names lead to Hearth by themselves.
    package var proxy: String?
    /// `host:port` of the metadata server; nil for its own name.
    package var metadata: String?

    package init(proxy: String? = nil, metadata: String? = nil) {
      self.proxy = proxy
      self.metadata = metadata
    }
  }

  /// The variables of a program that takes Hearth for Google; nil removes one. `inherited` are those
  /// that it would have otherwise.
  package func environment(
    project: String, places: Places = Places(), inherited: [String: String] = [:]
  ) -> [String: String?] {
    var values: [String: String?] = [:]
    for name in Self.trustVariables { values[name] = certificates }
    for name in Self.removed + Self.credentials + Self.proxies {
      values.updateValue(nil, forKey: name)
    }
    values["HEARTH_AS_GOOGLE"] = "1"
    // Without certificates by their digests: those of the machine are not to count.
    values["SSL_CERT_DIR"] = path
    values["PHP_INI_SCAN_DIR"] = ":" + phpSettings
    values["GOOGLE_APPLICATION_CREDENTIALS"] = serviceAccount
    values["CLOUDSDK_CONFIG"] = cloudSettings
    values["GOOGLE_CLOUD_PROJECT"] = project
    values["GCLOUD_PROJECT"] = project
    values["CLOUDSDK_CORE_PROJECT"] = project
    values["JAVA_TOOL_OPTIONS"] = [
      Self.withoutProxies(inherited["JAVA_TOOL_OPTIONS"] ?? ""), javaOptions(places),
    ].filter { !$0.isEmpty }.joined(separator: " ")
    if let metadata = places.metadata {
      // Python's library pings the address before it asks the name.
      for name in ["GCE_METADATA_HOST", "GCE_METADATA_IP"] { values[name] = metadata }
    }
    if let proxy = places.proxy { Self.lead(&values, to: proxy) }
    return values
  }

  /// What makes runtimes trust the certificates in a file. All but the one of Node replace what they
  /// trust otherwise, which is right here.
  static let trustVariables = [
    "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS",
    "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH", "AWS_CA_BUNDLE", "DENO_CERT", "HTTPLIB2_CA_CERTS",
    "CLOUDSDK_CORE_CUSTOM_CA_CERTS_FILE", "GIT_SSL_CAINFO", "CARGO_HTTP_CAINFO",
    "NIX_SSL_CERT_FILE", "PERL_LWP_SSL_CA_FILE",
  ]

  /// Variables that hold a credential of Google's or name a file with one.
  package static let credentials = [
    "GOOGLE_APPLICATION_CREDENTIALS_JSON", "GOOGLE_CREDENTIALS", "GOOGLE_GHA_CREDS_PATH",
    "GCLOUD_SERVICE_KEY", "FIREBASE_TOKEN", "FIREBASE_SERVICE_ACCOUNT",
    "CLOUDSDK_AUTH_ACCESS_TOKEN", "CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE",
    "GOOGLE_OAUTH_ACCESS_TOKEN",
  ]

  /// What leads a program to a proxy. Where names lead to Hearth, none is meant.
  private static let proxies =
    ["https", "http", "all", "grpc", "no", "no_grpc"].flatMap { kind in
      [kind + "_proxy", kind.uppercased() + "_PROXY"]
    } + ["GRPC_PROXY_EXP"]

  /// What leads SDKs to emulators, or elsewhere than to Google's usual places.
  private static let removed = [
    "FIREBASE_AUTH_EMULATOR_HOST", "FIRESTORE_EMULATOR_HOST",
    "FIREBASE_FIRESTORE_EMULATOR_ADDRESS", "FIREBASE_EMULATOR_HUB",
    "FIREBASE_DATABASE_EMULATOR_HOST", "FIREBASE_STORAGE_EMULATOR_HOST",
    "STORAGE_EMULATOR_HOST", "PUBSUB_EMULATOR_HOST", "CLOUD_TASKS_EMULATOR_HOST",
    "GCE_METADATA_HOST", "GCE_METADATA_IP", "GCE_METADATA_ROOT", "GOOGLE_API_KEY",
    "GOOGLE_CLOUD_QUOTA_PROJECT", "GOOGLE_CLOUD_UNIVERSE_DOMAIN",
    "RESEND_API_URL", "RESEND_BASE_URL", "MG_URL", "AWS_ENDPOINT_URL_SES", "AWS_ENDPOINT_URL_SESV2",
    "AWS_ENDPOINT_URL_SNS", "AWS_ENDPOINT_URL_PINPOINT_SMS_VOICE_V2", "TELNYX_BASE_URL",
  ]

  private func javaOptions(_ places: Places) -> String {
    var options = [
      "-Djavax.net.ssl.trustStore=\(javaStore)", "-Djavax.net.ssl.trustStoreType=PKCS12",
      "-Djavax.net.ssl.trustStorePassword=\(Self.password)",
    ]
    if let proxy = places.proxy, let address = Configuration.hostAndPort(proxy) {
      options += [
        "-Dhttps.proxyHost=\(address.host)", "-Dhttps.proxyPort=\(address.port)",
        "-Dhttp.proxyHost=\(address.host)", "-Dhttp.proxyPort=\(address.port)",
        "-Dhttp.nonProxyHosts=localhost|127.*|[::1]",
      ]
    }
    return options.joined(separator: " ")
  }

  /// Options of Java without those that name a proxy.
  private static func withoutProxies(_ options: String) -> String {
    let proxies = [
      "-Dhttp.proxy", "-Dhttps.proxy", "-DsocksProxy", "-Dhttp.nonProxyHosts",
      "-Djava.net.useSystemProxies",
    ]
    return options.split(separator: " ", omittingEmptySubsequences: false)
      .filter { word in !proxies.contains { word.hasPrefix($0) } }.joined(separator: " ")
  }

  /// Ruby takes the proxy of plain HTTP for both.
  private static func lead(_ values: inout [String: String?], to proxy: String) {
    for name in ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "grpc_proxy"] {
      values[name] = "http://" + proxy
    }
    for name in ["NO_PROXY", "no_proxy", "no_grpc_proxy"] {
      values[name] = "localhost,127.0.0.1,::1"
    }
    values["NODE_USE_ENV_PROXY"] = "1"
  }

  /// The same for a shell.
  func shellText(_ contents: Contents) -> String {
    let values = environment(project: contents.project, places: contents.places)
    let lines = values.sorted { $0.key < $1.key }.map { name, value in
      value.map { "export \(name)=\(Self.quoted($0))" } ?? "unset \(name)"
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: "'\\''") + "'"
  }
}
