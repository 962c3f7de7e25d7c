import Foundation
import PackagePlugin

/// Compiles the files of a target's `web` folder into the target, as strings of `WebFiles`.
///
/// What writes them is a script: SwiftPM builds a plug-in and its tools for every package that depends
/// on this one, also for those that use nothing that the plug-in makes.
@main struct HearthEmbedPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let root = target.directoryURL.appending(path: "web")
    let files = try FileManager.default.subpathsOfDirectory(atPath: root.path)
      .sorted()
      .map { root.appending(path: $0) }
      .filter { !$0.lastPathComponent.hasPrefix(".") && !isDirectory($0) }
    let script = context.package.directoryURL.appending(path: "Sources/HearthEmbed/embed")
    let output = context.pluginWorkDirectoryURL.appending(path: "WebFiles.swift")
    return [
      .buildCommand(
        displayName: "Embedding the web files of \(target.name)",
        executable: URL(filePath: "/bin/sh"),
        arguments: [script.path, output.path, root.path] + files.map(\.path),
        inputFiles: [script] + files, outputFiles: [output])
    ]
  }

  private func isDirectory(_ file: URL) -> Bool {
    var isDirectory: ObjCBool = false
    return FileManager.default.fileExists(atPath: file.path, isDirectory: &isDirectory)
      && isDirectory.boolValue
  }
}
