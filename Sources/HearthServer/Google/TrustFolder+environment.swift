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
    for name in Self.removed { values.updateValue(nil, forKey: name) }
    values["HEARTH_AS_GOOGLE"] = "1"
    // Without certificates by their digests: those of the machine are not to count.
    values["SSL_CERT_DIR"] = path
    values["PHP_INI_SCAN_DIR"] = ":" + phpSettings
    values["GOOGLE_APPLICATION_CREDENTIALS"] = serviceAccount
    values["CLOUDSDK_CONFIG"] = cloudSettings
    values["GOOGLE_CLOUD_PROJECT"] = project
    values["GCLOUD_PROJECT"] = project
    values["JAVA_TOOL_OPTIONS"] = [inherited["JAVA_TOOL_OPTIONS"] ?? "", javaOptions(places)]
      .filter { !$0.isEmpty }.joined(separator: " ")
    if let metadata = places.metadata { values["GCE_METADATA_HOST"] = metadata }
    if let proxy = places.proxy { Self.lead(&values, to: proxy) }
    return values
  }

  /// What makes runtimes trust the certificates in a file. All but the one of Node replace what they
  /// trust otherwise, which is right here.
  static let trustVariables = [
    "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS",
    "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH", "AWS_CA_BUNDLE", "DENO_CERT",
  ]

  /// What leads SDKs to emulators, and what opens the real services.
  static let removed = [
    "FIREBASE_AUTH_EMULATOR_HOST", "FIRESTORE_EMULATOR_HOST",
    "FIREBASE_FIRESTORE_EMULATOR_ADDRESS", "FIREBASE_EMULATOR_HUB",
    "FIREBASE_DATABASE_EMULATOR_HOST", "FIREBASE_STORAGE_EMULATOR_HOST",
    "STORAGE_EMULATOR_HOST", "PUBSUB_EMULATOR_HOST", "CLOUD_TASKS_EMULATOR_HOST",
    "FIREBASE_TOKEN", "GCE_METADATA_HOST", "GCE_METADATA_IP", "GCE_METADATA_ROOT",
    "CLOUDSDK_AUTH_ACCESS_TOKEN", "GOOGLE_OAUTH_ACCESS_TOKEN", "GOOGLE_API_KEY",
    "RESEND_API_URL", "RESEND_BASE_URL", "MG_URL", "AWS_ENDPOINT_URL_SES", "AWS_ENDPOINT_URL_SESV2",
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

  /// Ruby takes the proxy of plain HTTP for both.
  private static func lead(_ values: inout [String: String?], to proxy: String) {
    for name in ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "grpc_proxy"] {
      values[name] = "http://" + proxy
    }
    for name in ["NO_PROXY", "no_proxy"] { values[name] = "localhost,127.0.0.1,::1" }
    values["NODE_USE_ENV_PROXY"] = "1"
  }

  /// The same for a shell.
  func shellText(_ contents: Contents) -> String {
    let places = Places(
      proxy: contents.proxyPort.map { "127.0.0.1:\($0)" },
      metadata: contents.metadataPort.map { "127.0.0.1:\($0)" })
    let values = environment(project: contents.project, places: places)
    let lines = values.sorted { $0.key < $1.key }.map { name, value in
      value.map { "export \(name)=\(Self.quoted($0))" } ?? "unset \(name)"
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: "'\\''") + "'"
  }
}
