import HearthTriggerEmail
import HearthWire

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Where mails are to be made of documents.
extension Configuration {
  /// Takes over what the user says: collections, files of parameters, or `none`.
  mutating func setTriggerEmail(
    _ values: [String], source: String
  ) throws(ConfigurationError) {
    extensionFiles = []
    triggerEmail = []
    guard values != ["none"] else { return }
    for value in values {
      let isFile = value.hasPrefix("/") || value.hasPrefix(".") || value.hasSuffix(".env")
      if isFile, !FileManager.default.fileExists(atPath: value) {
        throw ConfigurationError("\(source): cannot read \(value)")
      }
      triggerEmail.append(
        isFile ? try Self.triggerEmail([value]) : try Self.triggerEmail(of: value, source))
    }
  }

  private static func triggerEmail(
    of collection: String, _ source: String
  ) throws(ConfigurationError) -> TriggerEmailSettings {
    let settings = TriggerEmailSettings(collection: collection)
    do throws(TriggerEmailSettingsError) { try settings.check() } catch {
      throw ConfigurationError(collection, in: source, expected: "the path of a collection")
    }
    return settings
  }

  /// The files of one instance; in later ones are values that win.
  private static func triggerEmail(
    _ files: [String]
  ) throws(ConfigurationError) -> TriggerEmailSettings {
    var text = ""
    for file in files {
      guard let data = FileManager.default.contents(atPath: file) else { continue }
      text += String(decoding: data, as: UTF8.self) + "\n"
    }
    do throws(TriggerEmailSettingsError) {
      return try TriggerEmailSettings(environment: text)
    } catch {
      throw ConfigurationError("\(files[0]): \(error)")
    }
  }

  /// The instances of the extension that `firebase.json` has. Their parameters are in the folder
  /// `extensions` beside it.
  mutating func findTriggerEmail(in json: JSON, beside file: String) {
    let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
    for (instance, reference) in json["extensions"]?.object?.members ?? [] {
      let name = reference.string?.split(separator: "/").last?.prefix { $0 != "@" }
      guard name == "firestore-send-email" else { continue }
      extensionFiles.append("\(folder)extensions/\(instance).env")
    }
  }

  /// Reads the parameters of the instances that were found: those of all projects, then those of this
  /// project by its aliases and its id, then those of this machine.
  mutating func readTriggerEmail() throws(ConfigurationError) {
    guard foundTriggerEmail else { return }
    let aliases = projectAliases.filter { $0.value == project }.keys.sorted()
    triggerEmail = []
    for file in extensionFiles {
      let own = (aliases + [project]).map { "\(file).\($0)" }
      triggerEmail.append(try Self.triggerEmail([file] + own + [file + ".local"]))
    }
  }
}
