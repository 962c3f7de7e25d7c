import Foundation

/// nginx with one file, which it answers to each request: about as quick as a server of HTTP gets.
final class StaticFile {
  let url: String
  private let folder: URL
  private let process = Process()

  /// Serves the bytes; nil where nginx is not installed.
  init?(_ bytes: Data, port: Int = 19_299) throws {
    // Debian has it where the paths of ordinary users do not lead.
    guard
      let nginx = ["/usr/sbin/nginx", "/opt/homebrew/bin/nginx", "/usr/local/bin/nginx"]
        .first(where: FileManager.default.isExecutableFile)
    else { return nil }
    url = "http://127.0.0.1:\(port)/file"
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("hearth-bench-nginx-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try bytes.write(to: folder.appendingPathComponent("file"))
    let configuration = folder.appendingPathComponent("nginx.conf")
    try """
    worker_processes auto;
    daemon off;
    pid \(folder.path)/pid;
    error_log \(folder.path)/errors;
    events { worker_connections 1024; }
    http {
      access_log off;
      keepalive_requests 1000000000;
      default_type application/json;
      client_body_temp_path \(folder.path)/body;
      proxy_temp_path \(folder.path)/proxy;
      fastcgi_temp_path \(folder.path)/fastcgi;
      uwsgi_temp_path \(folder.path)/uwsgi;
      scgi_temp_path \(folder.path)/scgi;
      server { listen 127.0.0.1:\(port); root \(folder.path); }
    }
    """.write(to: configuration, atomically: true, encoding: .utf8)
    process.executableURL = URL(fileURLWithPath: nginx)
    process.arguments = ["-p", folder.path, "-c", configuration.path]
    process.standardError = FileHandle.nullDevice
    try process.run()
    while !Server.answers(port, path: "/file") {
      guard process.isRunning else { throw Command.Failure("nginx ended before it answered") }
    }
  }

  func stop() {
    process.terminate()
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }
}
