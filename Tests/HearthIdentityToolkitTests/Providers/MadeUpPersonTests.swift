import HearthWire
import Testing

@testable import HearthIdentityToolkit

@Suite struct `A person made up from a token` {
  @Test func `is the same for one provider and another for the next`() {
    let first = MadeUpPerson(accessToken: "token", of: "google.com")
    #expect(first == MadeUpPerson(accessToken: "token", of: "google.com"))
    #expect(first.id != MadeUpPerson(accessToken: "token", of: "github.com").id)
  }

  @Test func `has an id that a double holds, and an address`() {
    for token in ["", "token", "ya29.a0AfH6SM", "é", String(repeating: "x", count: 100_000)] {
      let person = MadeUpPerson(accessToken: token, of: "google.com")
      #expect(person.id.count == 15 && person.id.first != "0")
      #expect(person.number.integer.map(String.init) == person.id)
      #expect(Email(person.email) != nil && person.name.contains(" "))
    }
  }

  @Test func `is described by each provider in its own words`() throws {
    for (id, api) in ProviderApi.known {
      let answer = ProviderAnswer(accessToken: "token", of: id)
      let sub = try #require(answer.claims["sub"]?.string)
      #expect(answer.federatedId == api.federatedPrefix + sub)
      #expect((answer.claims["email"] != nil) == api.sharesEmail)
      #expect(!api.refusal.isEmpty)
      if let raw = answer.rawUserInfo { #expect(raw.text.contains(sub), "\(id)") }
    }
  }
}
