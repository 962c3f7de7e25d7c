import HearthTriggerEmail
import Testing

@Suite struct `Parameters of Trigger Email` {
  @Test func `are read from a file of the extension`() throws {
    let settings = try TriggerEmailSettings(
      environment: """
        # comment
        MAIL_COLLECTION=outbox/{region}/mail
        DEFAULT_FROM="Shop <shop@example.com>"
        DEFAULT_REPLY_TO=
        USERS_COLLECTION=users
        DATABASE=second
        TTL_EXPIRE_TYPE=week
        TTL_EXPIRE_VALUE=2
        firebaseextensions.v1beta.function/location=europe-west1
        """)
    var expected = TriggerEmailSettings(collection: "outbox/{region}/mail")
    expected.from = "Shop <shop@example.com>"
    expected.users = "users"
    expected.database = "second"
    expected.lifetime = .init(unit: .week, count: 2)
    #expect(settings == expected)
  }

  @Test(arguments: ["MAIL_COLLECTION=a/b", "TTL_EXPIRE_TYPE=decade", "USERS_COLLECTION=a//b"])
  func `are refused where they cannot be used`(_ text: String) {
    #expect(throws: TriggerEmailSettingsError.self) {
      try TriggerEmailSettings(environment: text)
    }
  }
}
