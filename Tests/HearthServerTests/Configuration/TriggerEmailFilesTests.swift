import Foundation
import HearthServer
import HearthTestSupport
import HearthTriggerEmail
import Testing

@testable import HearthSettings

@Suite struct `Files of Trigger Email` {
  private static let project = Configuration.Settings(
    [.project: ["demo-other"]], source: { $0.environmentName })

  @Test(arguments: [
    (chosen: false, from: "staging@example.com"), (chosen: true, from: "other@example.com"),
  ])
  func `are those of all projects, of the project, and of the machine`(
    chosen: Bool, from: String
  ) throws {
    try withTemporaryFolder { folder in
      let files = [
        "firebase.json": #"{"extensions": {"mails": "firebase/firestore-send-email@^0.2"}}"#,
        ".firebaserc": #"{"projects": {"default": "demo-one", "staging": "demo-one"}}"#,
        "mails.env": "MAIL_COLLECTION=outbox\nDEFAULT_FROM=all@example.com\nUSERS_COLLECTION=u",
        "mails.env.staging": "DEFAULT_FROM=staging@example.com",
        "mails.env.demo-other": "DEFAULT_FROM=other@example.com",
        "mails.env.local": "USERS_COLLECTION=people",
      ]
      try FileManager.default.createDirectory(
        atPath: folder + "/extensions", withIntermediateDirectories: true)
      for (name, text) in files {
        let place = name.hasPrefix("mails") ? "/extensions/" : "/"
        try text.write(toFile: folder + place + name, atomically: true, encoding: .utf8)
      }
      var configuration = Configuration()
      try configuration.applyFirebaseJSON(folder + "/firebase.json", in: folder)
      if chosen { try configuration.apply(Self.project) }
      let found = try #require(configuration.triggerEmail.first)
      #expect(configuration.triggerEmail.count == 1)
      #expect(found.collection == "outbox" && found.users == "people")
      #expect(found.from == from)
    }
  }

  @Test func `do not count where the user names a collection`() throws {
    try withTemporaryFolder { folder in
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try #"{"extensions": {"mails": "firebase/firestore-send-email@^0.2"}}"#.write(
        toFile: folder + "/firebase.json", atomically: true, encoding: .utf8)
      var configuration = Configuration()
      try configuration.applyFirebaseJSON(folder + "/firebase.json", in: folder)
      try configuration.apply(
        Configuration.Settings(
          [.triggerEmail: ["letters"]], source: { $0.environmentName }))
      try configuration.apply(Self.project)
      #expect(configuration.triggerEmail.map(\.collection) == ["letters"])
    }
  }
}
