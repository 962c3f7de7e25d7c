#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The programs that run apps, and how each comes to trust Hearth's certificates.
///
/// What the table says is shown to people. ``CommandInspection`` finds rows by `programs`,
/// `launchers` and `mark`; the variables themselves are set elsewhere.
struct Runtime: Sendable {
  let name: String
  /// The names of its program, the likeliest first.
  let programs: [String]
  /// Programs that start it.
  var launchers: [String] = []
  /// What a program contains that was compiled with it; nil where programs are scripts of it.
  var mark: String?
  /// The variables that it reads.
  let trust: String
  /// Whether it goes through a proxy that the environment names.
  let proxy: String
  /// What is not covered, wherever it runs.
  let gaps: String

  static let all = interpreters + compiled + tools

  private static let interpreters = [
    Runtime(
      name: "Python", programs: ["python3", "python"],
      trust: "SSL_CERT_FILE, REQUESTS_CA_BUNDLE, HTTPLIB2_CA_CERTS; "
        + "gRPC: GRPC_DEFAULT_SSL_ROOTS_FILE_PATH",
      proxy: "urllib, requests, httpx, gRPC; aiohttp only with trust_env=True. "
        + "urllib3.PoolManager and requests with trust_env=False ignore it",
      gaps: "code that passes certifi's file or an SSL context of its own"),
    Runtime(
      name: "Node.js", programs: ["node", "nodejs"],
      trust: "NODE_EXTRA_CA_CERTS; gRPC: GRPC_DEFAULT_SSL_ROOTS_FILE_PATH",
      proxy: "gRPC yes; https and fetch from Node.js 24 on (NODE_USE_ENV_PROXY)",
      gaps: "code that passes a ca of its own; the roots of Node.js stay trusted too"),
    Runtime(
      name: "Java", programs: ["java"],
      launchers: ["mvn", "mvnw", "gradle", "gradlew", "sbt", "kotlin", "scala"],
      trust: "JAVA_TOOL_OPTIONS (a trust store)", proxy: "yes, by JAVA_TOOL_OPTIONS",
      gaps: "code with a trust store of its own; a Gradle daemon that runs already"),
    Runtime(
      name: "Ruby", programs: ["ruby"], trust: "SSL_CERT_FILE", proxy: "yes",
      gaps: "code that sets ca_file or a cert_store of its own"),
    Runtime(
      name: "PHP", programs: ["php", "php-fpm", "php-cgi"],
      trust: "PHP_INI_SCAN_DIR (two settings)", proxy: "the curl extension; streams do not",
      gaps: "php -n, which reads no settings; code that sets cafile or CURLOPT_CAINFO"),
    Runtime(
      name: ".NET", programs: ["dotnet"], trust: "SSL_CERT_FILE (on Linux)", proxy: "yes",
      gaps: "on macOS, which reads the keychain only"),
    Runtime(
      name: "Deno", programs: ["deno"], trust: "DENO_CERT", proxy: "yes",
      gaps: "code that passes caCerts of its own"),
    Runtime(
      name: "Bun", programs: ["bun", "bunx"], trust: "NODE_EXTRA_CA_CERTS", proxy: "yes",
      gaps: "code that passes a ca of its own"),
  ]

  /// In the order in which marks count: a Go program that links OpenSSL is a Go program.
  private static let compiled = [
    Runtime(
      name: "Go", programs: ["go"], mark: " Go buildinf:",
      trust: "SSL_CERT_FILE (not on macOS)",
      proxy: "http.DefaultTransport and gRPC; an http.Transport without Proxy ignores it",
      gaps: "programs with roots of their own, such as golang.org/x/crypto/x509roots"),
    Runtime(
      name: "Rust", programs: [], mark: "/rustc/",
      trust: "SSL_CERT_FILE, with rustls-native-certs or OpenSSL", proxy: "reqwest does",
      gaps: "webpki-roots: roots that are compiled in, and that no variable changes"),
    Runtime(
      name: "a program with GnuTLS", programs: ["wget"], mark: "libgnutls.so",
      trust: "the system's file of certificates, which is Hearth's in a namespace only",
      proxy: "wget does",
      gaps: "with a proxy, TLS to Google's hosts fails, unless the program takes a file of "
        + "certificates"),
    Runtime(
      name: "a Swift program with FoundationNetworking", programs: [],
      mark: "libFoundationNetworking.so",
      trust: "the system's file of certificates, which is Hearth's in a namespace only",
      proxy: "yes",
      gaps: "with a proxy, TLS to Google's hosts fails"),
    Runtime(
      name: "a program with libcurl", programs: [], mark: "libcurl.so",
      trust: "the system's file of certificates, which is Hearth's in a namespace only",
      proxy: "yes",
      gaps: "with a proxy, TLS to Google's hosts fails, unless the program takes a file of "
        + "certificates"),
    Runtime(
      name: "a program with OpenSSL", programs: [], mark: "libssl.so",
      trust: "SSL_CERT_FILE", proxy: "where its HTTP library does",
      gaps: "code that loads a file of certificates of its own"),
  ]

  private static let tools = [
    Runtime(
      name: "git", programs: ["git"], trust: "GIT_SSL_CAINFO", proxy: "yes",
      gaps: "http.sslCAInfo in its settings, and SSH"),
    Runtime(
      name: "Perl", programs: ["perl"], trust: "PERL_LWP_SSL_CA_FILE, SSL_CERT_FILE",
      proxy: "LWP with env_proxy",
      gaps: "code that passes SSL_ca_file or Mozilla::CA's file"),
    Runtime(
      name: "Google Cloud CLI", programs: ["gcloud"],
      trust: "CLOUDSDK_CORE_CUSTOM_CA_CERTS_FILE", proxy: "yes",
      gaps: "services that Hearth does not emulate"),
    Runtime(
      name: "curl", programs: ["curl"], trust: "CURL_CA_BUNDLE (not on macOS)", proxy: "yes",
      gaps: "--cacert and --capath, which win"),
    Runtime(
      name: "Chromium",
      programs: ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
      trust: "the flags in chromium-flags.txt", proxy: "by those flags",
      gaps: "without the flags it trusts nothing of Hearth"),
  ]

  /// Where the program is on the path; nil where it is not.
  func location(on path: String) -> String? {
    programs.lazy.compactMap { ProgramSearch.location(of: $0, on: path) }.first
  }

  /// The runtime of a program by its name, without a folder: `python3.11` is Python.
  static func named(_ program: String) -> Runtime? {
    let plain = program.hasSuffix(".exe") ? String(program.dropLast(4)) : program
    let bare = String(plain.prefix { !($0.isNumber || $0 == ".") })
    return all.first { runtime in
      [plain, bare].contains { runtime.programs.contains($0) || runtime.launchers.contains($0) }
    }
  }
}
