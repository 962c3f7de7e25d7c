import Foundation
import PackagePlugin

/// Compiles the files of a target's `web` folder into the target, as strings of `WebFiles`.
@main struct HearthEmbedPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let files = try FileManager.default
      .contentsOfDirectory(
        at: target.directoryURL.appending(path: "web"), includingPropertiesForKeys: nil
      )
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
    let output = context.pluginWorkDirectoryURL.appending(path: "WebFiles.swift")
    return [
      .buildCommand(
        displayName: "Embedding the web files of \(target.name)",
        executable: try context.tool(named: "hearth-embed").url,
        arguments: [output.path] + files.map(\.path), inputFiles: files, outputFiles: [output])
    ]
  }
}
