import Foundation
import PackagePlugin

/// Compiles the files of a target's `web` folder into the target, as strings of `WebFiles`.
@main struct HearthEmbedPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let root = target.directoryURL.appending(path: "web")
    let files = try FileManager.default.subpathsOfDirectory(atPath: root.path)
      .sorted()
      .map { root.appending(path: $0) }
      .filter { !$0.hasDirectoryPath && !$0.lastPathComponent.hasPrefix(".") }
    let output = context.pluginWorkDirectoryURL.appending(path: "WebFiles.swift")
    return [
      .buildCommand(
        displayName: "Embedding the web files of \(target.name)",
        executable: try context.tool(named: "hearth-embed").url,
        arguments: [output.path, root.path] + files.map(\.path), inputFiles: files,
        outputFiles: [output])
    ]
  }
}
