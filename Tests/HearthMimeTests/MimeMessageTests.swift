import HearthMime
import Testing

@Suite struct MimeMessageTests {
  @Test func headersAreFoundWithoutCase() {
    var message = MimeMessage()
    message.headers = [MimeHeader("X-Tag", "one"), MimeHeader("x-tag", "two")]
    #expect(message.header("X-TAG") == "one")
  }
}
