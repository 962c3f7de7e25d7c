import HearthDialects
import HearthWire
import Testing

@Suite struct `A mistake in a definition` {
  struct Row: Sendable, CustomTestStringConvertible {
    let edit: Edit
    let pointer: String
    let words: String

    /// The fault is at the place of the edit, unless another is given.
    init(_ edited: String, _ value: JSON?, at pointer: String? = nil, _ words: String) {
      edit = Edit(edited, value)
      self.pointer = pointer ?? edited
      self.words = words
    }

    var testDescription: String { "\(edit.pointer) = \(edit.value?.text ?? "nothing")" }
  }

  static let rows: [Row] = [
    // The head.
    Row("", [], at: "", "must be an object"),
    Row("/name", nil, "is missing"),
    Row("/name", 5, "must be a string"),
    Row("/name", "", "must not be empty"),
    Row("/name", "Big Name", "lower-case"),
    Row("/title", nil, "is missing"),
    Row("/about", [:], "must be a string"),
    Row("/colour", "red", "is unknown here"),
    Row("/a~1b~0c", 1, "is unknown here"),
    Row("/project", "", "must not be empty"),
    Row("/tenant", 1, "must be a string"),
    // Where it is served.
    Row("/serve", nil, "is missing"),
    Row("/serve", "here", "must be an object"),
    Row("/serve", [:], at: "/serve/prefix", "is missing, and so is \"port\""),
    Row("/serve/port", 0, "from 1 to 65535"),
    Row("/serve/port", 65_536, "from 1 to 65535"),
    Row("/serve/port", "80", "whole number"),
    Row("/serve/port", .double(1.5), "whole number"),
    Row("/serve/prefix", "auth", "must begin with \"/\""),
    Row("/serve/prefix", "/", "must not end with \"/\""),
    Row("/serve/prefix", "/auth/", "must not end with \"/\""),
    Row("/serve/prefix", "/{a}", "plain path"),
    Row("/serve/prefix", "/a b", "plain path"),
    // Languages.
    Row("/languages/default", nil, "is missing"),
    Row("/languages/default", "e n", "must be a language"),
    Row("/languages/others", [], "must not be empty"),
    Row("/languages/others", "de", "must be a list"),
    Row("/languages/others/0", "EN", "twice"),
    Row("/languages/from", "cookie:lang", "after body:"),
    Row("/replies/badRequest/message/fr", "Non", "not a language of \"languages\""),
    Row("/replies/badRequest/message/en", nil, "default language"),
    // Clients.
    Row("/clients", [], "must not be empty"),
    Row("/clients/0/name", nil, "is missing"),
    Row("/clients/1/name", "web", at: "/clients/1", "earlier client"),
    Row("/clients/0/header", nil, "\"equals\" needs it"),
    Row("/clients/0/header", "X Y", "name of a header"),
    Row("/clients/0/equals", nil, at: "/clients/0", "needs one of"),
    Row("/clients/0/contains", "x", at: "/clients/0", "needs one of"),
    Row("/clients/2", nil, at: "/clients", "must end with a client without"),
    Row("/clients/3", ["name": "last"], "is never tried"),
    // Tokens.
    Row("/token", nil, "is missing; an endpoint does \"requestReset\""),
    Row("/token/kind", nil, "is missing"),
    Row("/token/kind", "letters", "must be one of \"digits\""),
    Row("/token/length", nil, "is missing"),
    Row("/token/length", 3, "from 4 to 512"),
    Row("/token/length", 1000, "from 4 to 512"),
    Row("/token/alphabet", "abc", "only for the kind \"characters\""),
    Row(
      "/token", ["kind": "uuid", "length": 8, "lifetime": "1h"], at: "/token/length", "by the kind"),
    Row("/token", ["kind": "characters", "length": 8], at: "/token/alphabet", "is missing"),
    Row("/newPassword/alphabet", "abc", "at least eight"),
    Row("/newPassword/alphabet", "abcdefgé", "visible ASCII"),
    Row("/newPassword/alphabet", "abcdefgha", "twice"),
    Row(
      "/token", ["kind": "alphanumeric", "length": 8, "ignoresCase": true],
      at: "/token/ignoresCase", "both cases"),
    Row("/token", ["kind": "jwt", "ignoresCase": true], at: "/token/ignoresCase", "cannot be"),
    Row("/token/lifetime", nil, "is missing"),
    Row("/token/lifetime", 60, "such as 90s"),
    Row("/token/lifetime", "1 hour", "such as 90s"),
    Row("/token/lifetime", "0s", "such as 90s"),
    Row("/token/lifetime", "-1h", "such as 90s"),
    Row("/token/lifetime", "99999d", "at most ten years"),
    Row("/token/attempts", 0, "from 1 to 1000"),
    Row("/token/replacesOlder", "yes", "true or false"),
    // Limits.
    Row("/limits/perAccountPerHour", 0, "from 1 to 1000"),
    Row("/limits/perAddressPerHour", .null, "whole number"),
    Row("/limits/secondsBetween", 4000, "from 1 to 3600"),
    Row("/limits/answer", "maybe", "must be one of \"refuse\", \"pretend\""),
    // Passwords.
    Row("/password/minLength", 0, "from 1 to 256"),
    Row("/password/maxLength", 5, "must not be less"),
    Row("/password/needs/0", "vowel", "must be one of \"upper\""),
    Row("/password/needs/1", "digit", "twice"),
    Row("/password/sentences/tooRed", "x", "is unknown here"),
    Row("/password/sentences/tooShort", "{token}", "{token} has no value here"),
    Row("/password/checkedFirst", 1, "true or false"),
    Row("/newPassword", nil, "an endpoint does \"replacePassword\""),
    Row("/newPassword/ignoresCase", true, "is unknown here"),
    Row(
      "/newPassword", ["kind": "digits", "length": 8], "break the rule of \"password\""),
    // Sessions.
    Row("/sessions/lifetime", nil, "is missing"),
    Row("/sessions/refreshLifetime", nil, "an endpoint does \"refreshSession\""),
    Row("/sessions/scheme", "a b", "must be a word"),
    Row("/sessions/from", "path:x", "cannot be a part of the path"),
    // Messages.
    Row("/messages/sms/for", nil, "is missing"),
    Row("/messages/sms/for", "fun", "must be one of \"token\""),
    Row("/messages/sms/by", "pigeon", "must be one of \"mail\", \"sms\""),
    Row("/messages/sms/subject", "x", "cannot be in a text message"),
    Row("/messages/sms/text", nil, "is missing"),
    Row("/messages/sms/text", "Hello", "must have {token}"),
    Row("/messages/sms/text/de", "Hallo", at: "/messages/sms/text", "must have {token}"),
    Row("/messages/sms/text", "{link}", "{link} has no value here"),
    Row("/messages/mail/html", "Hello", "must have {token}"),
    Row("/messages/mail/subject", nil, "is missing"),
    Row("/messages/mail/subject", "{token}", "{token} has no value here"),
    Row("/messages/mail/link", "reset?c={token}", "must begin with a scheme"),
    Row("/messages/mail/link", "javascript:alert({token})", "must begin with a scheme"),
    Row("/messages/mail/link", "{token}://x", "must begin with a scheme"),
    Row("/messages/mail/link", "https:?{token}", "must be a URL"),
    Row("/messages/mail/link", "https://a b/{token}", "must be a URL"),
    Row("/messages/mail/link/*", nil, "for all other clients"),
    Row("/messages/mail/link/tv", "a:b", "not a client of \"clients\""),
    Row("/messages/mail/link/*", "sample://reset", at: "/messages/mail/text", "must have {token}"),
    Row("/messages/secret/text", "Hello", "must have {newPassword}"),
    Row("/messages/notice/text", "{token}", "{token} has no value here"),
    Row("/messages/notice/text", "{to", "without its \"}\""),
    Row("/messages/notice/text", "to}", "without its \"{\""),
    Row("/messages/notice/text", "{}", "{} has no value here"),
    // Replies.
    Row("/shapes/warning", [:], "is unknown here"),
    Row("/shapes/error/text", "{problem}", "{problem} has no value here"),
    Row("/replies/notFound", nil, "unknown paths"),
    Row("/replies/maybe", [:], "is unknown here"),
    Row("/replies/notFound/status", nil, "is missing"),
    Row("/replies/notFound/status", 100, "from 200 to 599"),
    Row("/replies/notFound/message", nil, at: "/replies/notFound/body", "and so is \"message\""),
    Row("/shapes/error", nil, at: "/replies/badRequest/body", "\"shapes\" has no \"error\""),
    Row("/replies/notFound/body", ["a": "{token}"], at: "/replies/notFound/body/a", "{token}"),
    Row("/replies/notFound/body", ["a": ["{x}"]], at: "/replies/notFound/body/a/0", "{x}"),
    Row("/replies/notFound/status", 204, at: "/replies/notFound/message", "has no body"),
    Row(
      "/replies/notFound/headers", ["A B": "c"], at: "/replies/notFound/headers/A B", "no header"),
    Row("/replies/notFound/headers", ["A": "b\nc"], at: "/replies/notFound/headers/A", "one line"),
    Row(
      "/replies/notFound/headers", ["Content-Length": "1"],
      at: "/replies/notFound/headers/Content-Length", "set by the server"),
    // Endpoints.
    Row("/endpoints", nil, "is missing"),
    Row("/endpoints", [], "must not be empty"),
    Row("/endpoints/0", 1, "must be an object"),
    Row("/endpoints/0/does", nil, "is missing"),
    Row("/endpoints/0/does", "guess", "must be one of \"requestReset\""),
    Row("/endpoints/0/method", nil, "is missing"),
    Row("/endpoints/0/method", "post", "must be one of \"GET\""),
    Row("/endpoints/0/path", nil, "is missing"),
    Row("/endpoints/0/path", "forgot", "must begin with \"/\""),
    Row("/endpoints/0/path", "/a?b", "plain path"),
    Row("/endpoints/0/path", "/a{b}", "between slashes"),
    Row("/endpoints/0/path", "/{a=**}", "between slashes"),
    Row("/endpoints/0/path", "/{a}/{a}", "twice"),
    Row("/endpoints/1/path", "/forgot", at: "/endpoints/1", "of an earlier endpoint"),
    Row("/endpoints/2/clients", ["tv"], at: "/endpoints/2/clients/0", "not a client of"),
    Row("/endpoints/0/fields", nil, "is missing"),
    Row("/endpoints/0/fields", [:], at: "/endpoints/0/fields/email", "and so is \"phone\""),
    Row("/endpoints/0/fields/token", "t", "is unknown here"),
    Row("/endpoints/0/fields/phone", "a..b", "must name a field"),
    Row("/endpoints/0/fields/phone", "query:", "must name a field"),
    Row("/endpoints/0/fields/phone", "path:p", "no variable of the path"),
    Row("/endpoints/3/fields/phone", "phone", "body of a GET request"),
    Row("/endpoints/4/fields/newPassword", nil, "is missing"),
    Row("/endpoints/0/sends", nil, "is missing"),
    Row("/endpoints/0/sends", "letter", "not a message of \"messages\""),
    Row("/endpoints/0/sends", "notice", "must be a message for \"token\""),
    Row("/endpoints/5/sends", "notice", "sends no message"),
    Row("/endpoints/5/hidesUnknown", true, "has no meaning"),
    Row("/endpoints/0/endsSessions", true, "has no meaning"),
    Row("/endpoints/0/replies/accepted", nil, "the endpoint can end that way"),
    Row("/endpoints/1/replies/unknownAccount", nil, "the endpoint can end that way"),
    Row(
      "/endpoints/1/hidesUnknown", true, at: "/endpoints/1/replies/unknownAccount",
      "never an outcome"),
    Row("/endpoints/0/replies/signedIn", [:], "never an outcome"),
    Row("/endpoints/0/replies/accepted/message", "{token}", "{token} has no value here"),
    Row("/endpoints/0/replies/accepted/body", "{userId}", "{userId} has no value here"),
    Row("/replies/tooManyRequests", nil, at: "/endpoints/0/replies/tooManyRequests", "is missing"),
    Row("/replies/invalidToken", nil, at: "/endpoints/3/replies/invalidToken", "is missing"),
  ]

  @Test func `is absent from the sample`() throws {
    _ = try Sample.definition()
  }

  @Test(arguments: rows)
  func `is reported with its place`(row: Row) {
    do throws(DefinitionFault) {
      _ = try Sample.definition([row.edit])
      Issue.record("taken")
    } catch {
      #expect(error.pointer == row.pointer)
      #expect(error.sentence.contains(row.words), "\(error)")
    }
  }

  @Test func `can be a member that appears twice`() {
    let text = #"{"name": "a", "name": "b"}"#
    #expect(throws: DefinitionFault.self) { try DialectDefinition(parsing: text.utf8) }
    do throws(DefinitionFault) {
      _ = try DialectDefinition(parsing: text.utf8)
    } catch {
      #expect(error.description == "/name: occurs twice")
    }
  }

  @Test func `can be that it is not JSON`() {
    do throws(DefinitionFault) {
      _ = try DialectDefinition(parsing: "{".utf8)
      Issue.record("taken")
    } catch {
      #expect(error.pointer == "")
      #expect(error.sentence.hasPrefix("is not JSON: "))
    }
  }

  @Test func `can be another definition's name or place`() throws {
    let one = try Sample.definition()
    #expect(throws: DefinitionFault.self) { try DialectSet([one, one]) }
    let namesake = try Sample.definition([Edit("/serve/prefix", "/other")])
    do throws(DefinitionFault) {
      _ = try DialectSet([one, namesake])
    } catch {
      #expect(error.pointer == "/name")
    }
    let neighbour = try Sample.definition([Edit("/name", "other")])
    do throws(DefinitionFault) {
      _ = try DialectSet([one, neighbour])
      Issue.record("taken")
    } catch {
      #expect(error.pointer == "/serve")
    }
  }
}
