import Foundation
import HearthInstances
import HearthWire
import Testing

@Suite struct `The folder of instances` {
  private func instance(_ process: Int32, at startedAt: Int64 = 1000) -> Instance {
    Instance(
      process: process, command: "serve", folder: "/home/ann/app", project: "demo-app",
      version: "0.1.0", startedAt: startedAt,
      ports: [.init(name: "auth", number: 9099), .init(name: "firestore", number: 8080)])
  }

  private func withFolder(_ body: (InstanceFolder) throws -> Void) throws {
    let place = NSTemporaryDirectory() + "instances-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: place) }
    try body(InstanceFolder(path: place))
  }

  @Test func `tells what runs, by its start`() throws {
    try withFolder { folder in
      #expect(folder.running().isEmpty)
      let (late, early) = (instance(12, at: 2000), instance(13))
      let entries = [folder.announce(late), folder.announce(early)].compactMap(\.self)
      #expect(entries.count == 2)
      #expect(folder.running() == [early, late])
      #expect(folder.owner(of: 8080) == early)
      #expect(folder.owner(of: 8081) == nil)
      withExtendedLifetime(entries) {}
    }
  }

  @Test func `forgets who has ended, and removes the file`() throws {
    try withFolder { folder in
      do {
        let entry = folder.announce(instance(12))
        #expect(folder.running().count == 1)
        withExtendedLifetime(entry) {}
      }
      #expect(folder.running().isEmpty)
      // As after `kill -9`: the file is there, and nobody has locked it.
      let left = folder.path + "/77.json"
      #expect(mkdir(folder.path, 0o700) == 0)
      try Data(instance(77).json.bytes).write(to: URL(fileURLWithPath: left))
      #expect(folder.running().isEmpty)
      #expect(!FileManager.default.fileExists(atPath: left))
    }
  }

  @Test func `of others is not used`() throws {
    try withFolder { folder in
      try FileManager.default.createDirectory(
        atPath: folder.path, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o777])
      #expect(folder.announce(instance(12)) == nil)
      #expect(folder.running().isEmpty)
    }
  }

  @Test func `is the user's own where the system has one`() {
    let own = NSTemporaryDirectory() + "runtime-" + UUID().uuidString
    #expect(mkdir(own, 0o700) == 0)
    defer { rmdir(own) }
    let place = InstanceFolder(environment: ["XDG_RUNTIME_DIR": own, "TMPDIR": "/t"]).path
    #expect(place == own + "/hearth")
    let other = InstanceFolder(environment: ["XDG_RUNTIME_DIR": "/absent", "TMPDIR": "/t"]).path
    #expect(other == "/t/hearth-\(geteuid())")
  }

  @Test(arguments: ["{}", "[]", #"{"process":0,"folder":"/","project":"p","startedAt":1}"#])
  func `takes no other files for instances`(_ text: String) throws {
    #expect(Instance(try JSON.parse(Array(text.utf8))) == nil)
  }
}
