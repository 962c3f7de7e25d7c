import Testing

@testable import HearthMailIn
@testable import HearthServer
@testable import HearthSettings

@Suite struct `The address of a relay` {
  @Test(arguments: [
    ("localhost:25", "localhost", 25, RelayAddress.Security.none),
    ("[::1]:25", "::1", 25, .none),
    ("smtp://mail.test", "mail.test", 587, .startTLS),
    ("smtp://mail.test:2525/", "mail.test", 2525, .startTLS),
    ("smtps://mail.test", "mail.test", 465, .tls),
    ("smtps://u:p@[2001:db8::1]", "2001:db8::1", 465, .tls),
    ("smtps://u:p@[2001:db8::1]:99?x=1", "2001:db8::1", 99, .tls),
  ])
  func `has host, port and security`(
    text: String, host: String, port: Int, security: RelayAddress.Security
  ) throws {
    let address = try RelayAddress(text)
    #expect(address.host == host)
    #expect(address.port == port)
    #expect(address.security == security)
  }

  @Test func `has a password that its description does not have`() throws {
    let address = try RelayAddress("smtp://me%40x.test:p%3A%2F@mail.test:25")
    #expect(address.credentials == .init(user: "me@x.test", password: "p:/"))
    #expect("\(address)" == "mail.test:25")
  }

  @Test(arguments: [
    "", "mail.test", "mail.test:0", "smtp://", "smtp://:25", "smtp://u@mail.test",
    "u:p@mail.test:25",
    "https://mail.test", "smtp://mail.test:99999", "smtp://:p@mail.test",
  ])
  func `is refused where it cannot be read, and not repeated`(text: String) {
    #expect {
      try RelayAddress(text)
    } throws: { error in
      !"\(error)".contains("mail.test")
    }
  }

  @Test(arguments: [
    ("localhost:1025", true), ("smtp://127.0.0.2:1587", true), ("[::1]:1025", true),
    ("localhost:25", false), ("mail.test:1025", false),
  ])
  func `may be a port of this server`(text: String, isOwn: Bool) throws {
    #expect(try RelayAddress(text).isPort(of: Configuration()) == isOwn)
  }
}
