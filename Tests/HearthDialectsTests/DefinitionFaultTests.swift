import HearthDialects
import HearthWire
import Testing

@Suite struct `A mistake in a definition` {
  struct Row: Sendable, CustomTestStringConvertible {
    let edit: Edit
    let pointer: String
    let words: String

    /// The fault is at the place of the edit, unless another is given.
    init(_ edited: String, value: JSON?, at pointer: String? = nil, words: String) {
      edit = Edit(edited, value: value)
      self.pointer = pointer ?? edited
      self.words = words
    }

    var testDescription: String { "\(edit.pointer) = \(edit.value?.text ?? "nothing")" }
  }

  static let rows: [Row] = [
    // The head.
    Row("", value: [], at: "", words: "must be an object"),
    Row("/name", value: nil, words: "is missing"),
    Row("/name", value: 5, words: "must be a string"),
    Row("/name", value: "", words: "must not be empty"),
    Row("/name", value: "Big Name", words: "lower-case"),
    Row("/title", value: nil, words: "is missing"),
    Row("/about", value: [:], words: "must be a string"),
    Row("/colour", value: "red", words: "is unknown here"),
    Row("/a~1b~0c", value: 1, words: "is unknown here"),
    Row("/project", value: "", words: "must not be empty"),
    Row("/tenant", value: 1, words: "must be a string"),
    // Where it is served.
    Row("/serve", value: nil, words: "is missing"),
    Row("/serve", value: "here", words: "must be an object"),
    Row("/serve", value: [:], at: "/serve/prefix", words: "is missing, and so is \"port\""),
    Row("/serve/port", value: 0, words: "from 1 to 65535"),
    Row("/serve/port", value: 65_536, words: "from 1 to 65535"),
    Row("/serve/port", value: "80", words: "whole number"),
    Row("/serve/port", value: .double(1.5), words: "whole number"),
    Row("/serve/prefix", value: "auth", words: "must begin with \"/\""),
    Row("/serve/prefix", value: "/", words: "must not end with \"/\""),
    Row("/serve/prefix", value: "/auth/", words: "must not end with \"/\""),
    Row("/serve/prefix", value: "/{a}", words: "plain path"),
    Row("/serve/prefix", value: "/a b", words: "plain path"),
    // Languages.
    Row("/languages/default", value: nil, words: "is missing"),
    Row("/languages/default", value: "e n", words: "must be a language"),
    Row("/languages/others", value: [], words: "must not be empty"),
    Row("/languages/others", value: "de", words: "must be a list"),
    Row("/languages/others/0", value: "EN", words: "twice"),
    Row("/languages/from", value: "cookie:lang", words: "after body:"),
    Row("/replies/badRequest/message/fr", value: "Non", words: "not a language of \"languages\""),
    Row("/replies/badRequest/message/en", value: nil, words: "default language"),
    // Clients.
    Row("/clients", value: [], words: "must not be empty"),
    Row("/clients/0/name", value: nil, words: "is missing"),
    Row("/clients/1/name", value: "web", at: "/clients/1", words: "earlier client"),
    Row("/clients/0/header", value: nil, words: "\"equals\" needs it"),
    Row("/clients/0/header", value: "X Y", words: "name of a header"),
    Row("/clients/0/equals", value: nil, at: "/clients/0", words: "needs one of"),
    Row("/clients/0/contains", value: "x", at: "/clients/0", words: "needs one of"),
    Row("/clients/2", value: nil, at: "/clients", words: "must end with a client without"),
    Row("/clients/3", value: ["name": "last"], words: "is never tried"),
    // Tokens.
    Row("/token", value: nil, words: "is missing; an endpoint does \"requestReset\""),
    Row("/token/kind", value: nil, words: "is missing"),
    Row("/token/kind", value: "letters", words: "must be one of \"digits\""),
    Row("/token/length", value: nil, words: "is missing"),
    Row("/token/length", value: 3, words: "from 4 to 512"),
    Row("/token/length", value: 1000, words: "from 4 to 512"),
    Row("/token/alphabet", value: "abc", words: "only for the kind \"characters\""),
    Row(
      "/token", value: ["kind": "uuid", "length": 8, "lifetime": "1h"], at: "/token/length",
      words: "by the kind"),
    Row(
      "/token", value: ["kind": "characters", "length": 8], at: "/token/alphabet",
      words: "is missing"),
    Row("/newPassword/alphabet", value: "abc", words: "at least eight"),
    Row("/newPassword/alphabet", value: "abcdefgé", words: "visible ASCII"),
    Row("/newPassword/alphabet", value: "abcdefgha", words: "twice"),
    Row(
      "/token", value: ["kind": "alphanumeric", "length": 8, "ignoresCase": true],
      at: "/token/ignoresCase", words: "both cases"),
    Row(
      "/token", value: ["kind": "jwt", "ignoresCase": true], at: "/token/ignoresCase",
      words: "cannot be"),
    Row("/token/lifetime", value: nil, words: "is missing"),
    Row("/token/lifetime", value: 60, words: "such as 90s"),
    Row("/token/lifetime", value: "1 hour", words: "such as 90s"),
    Row("/token/lifetime", value: "0s", words: "such as 90s"),
    Row("/token/lifetime", value: "-1h", words: "such as 90s"),
    Row("/token/lifetime", value: "99999d", words: "at most ten years"),
    Row("/token/attempts", value: 0, words: "from 1 to 1000"),
    Row("/token/replacesOlder", value: "yes", words: "true or false"),
    // Limits.
    Row("/limits/perAccountPerHour", value: 0, words: "from 1 to 1000"),
    Row("/limits/perAddressPerHour", value: .null, words: "whole number"),
    Row("/limits/secondsBetween", value: 4000, words: "from 1 to 3600"),
    Row("/limits/answer", value: "maybe", words: "must be one of \"refuse\", \"pretend\""),
    // Passwords.
    Row("/password/minLength", value: 0, words: "from 1 to 256"),
    Row("/password/maxLength", value: 5, words: "must not be less"),
    Row("/password/needs/0", value: "vowel", words: "must be one of \"upper\""),
    Row("/password/needs/1", value: "digit", words: "twice"),
    Row("/password/sentences/tooRed", value: "x", words: "is unknown here"),
    Row("/password/sentences/tooShort", value: "{token}", words: "{token} has no value here"),
    Row("/password/checkedFirst", value: 1, words: "true or false"),
    Row("/newPassword", value: nil, words: "an endpoint does \"replacePassword\""),
    Row("/newPassword/ignoresCase", value: true, words: "is unknown here"),
    Row(
      "/newPassword", value: ["kind": "digits", "length": 8],
      words: "break the rule of \"password\""),
    // Sessions.
    Row("/sessions/lifetime", value: nil, words: "is missing"),
    Row("/sessions/refreshLifetime", value: nil, words: "an endpoint does \"refreshSession\""),
    Row("/sessions/scheme", value: "a b", words: "must be a word"),
    Row("/sessions/from", value: "path:x", words: "cannot be a part of the path"),
    // Messages.
    Row("/messages/sms/for", value: nil, words: "is missing"),
    Row("/messages/sms/for", value: "fun", words: "must be one of \"token\""),
    Row("/messages/sms/by", value: "pigeon", words: "must be one of \"mail\", \"sms\""),
    Row("/messages/sms/subject", value: "x", words: "cannot be in a text message"),
    Row("/messages/sms/text", value: nil, words: "is missing"),
    Row("/messages/sms/text", value: "Hello", words: "must have {token}"),
    Row(
      "/messages/sms/text/de", value: "Hallo", at: "/messages/sms/text", words: "must have {token}"),
    Row("/messages/sms/text", value: "{link}", words: "{link} has no value here"),
    Row("/messages/mail/html", value: "Hello", words: "must have {token}"),
    Row("/messages/mail/subject", value: nil, words: "is missing"),
    Row("/messages/mail/subject", value: "{token}", words: "{token} has no value here"),
    Row("/messages/mail/link", value: "reset?c={token}", words: "must begin with a scheme"),
    Row(
      "/messages/mail/link", value: "javascript:alert({token})", words: "must begin with a scheme"),
    Row("/messages/mail/link", value: "{token}://x", words: "must begin with a scheme"),
    Row("/messages/mail/link", value: "https:?{token}", words: "must be a URL"),
    Row("/messages/mail/link", value: "https://a b/{token}", words: "must be a URL"),
    Row("/messages/mail/link/*", value: nil, words: "for all other clients"),
    Row("/messages/mail/link/tv", value: "a:b", words: "not a client of \"clients\""),
    Row(
      "/messages/mail/link/*", value: "sample://reset", at: "/messages/mail/text",
      words: "must have {token}"),
    Row("/messages/secret/text", value: "Hello", words: "must have {newPassword}"),
    Row("/messages/notice/text", value: "{token}", words: "{token} has no value here"),
    Row("/messages/notice/text", value: "{to", words: "without its \"}\""),
    Row("/messages/notice/text", value: "to}", words: "without its \"{\""),
    Row("/messages/notice/text", value: "{}", words: "{} has no value here"),
    // Replies.
    Row("/shapes/warning", value: [:], words: "is unknown here"),
    Row("/shapes/error/text", value: "{problem}", words: "{problem} has no value here"),
    Row("/replies/notFound", value: nil, words: "unknown paths"),
    Row("/replies/maybe", value: [:], words: "is unknown here"),
    Row("/replies/notFound/status", value: nil, words: "is missing"),
    Row("/replies/notFound/status", value: 100, words: "from 200 to 599"),
    Row(
      "/replies/notFound/message", value: nil, at: "/replies/notFound/body",
      words: "and so is \"message\""),
    Row(
      "/shapes/error", value: nil, at: "/replies/badRequest/body",
      words: "\"shapes\" has no \"error\""),
    Row(
      "/replies/notFound/body", value: ["a": "{token}"], at: "/replies/notFound/body/a",
      words: "{token}"),
    Row(
      "/replies/notFound/body", value: ["a": ["{x}"]], at: "/replies/notFound/body/a/0",
      words: "{x}"),
    Row(
      "/replies/notFound/status", value: 204, at: "/replies/notFound/message", words: "has no body"),
    Row(
      "/replies/notFound/headers", value: ["A B": "c"], at: "/replies/notFound/headers/A B",
      words: "no header"),
    Row(
      "/replies/notFound/headers", value: ["A": "b\nc"], at: "/replies/notFound/headers/A",
      words: "one line"),
    Row(
      "/replies/notFound/headers", value: ["Content-Length": "1"],
      at: "/replies/notFound/headers/Content-Length", words: "set by the server"),
    // Endpoints.
    Row("/endpoints", value: nil, words: "is missing"),
    Row("/endpoints", value: [], words: "must not be empty"),
    Row("/endpoints/0", value: 1, words: "must be an object"),
    Row("/endpoints/0/does", value: nil, words: "is missing"),
    Row("/endpoints/0/does", value: "guess", words: "must be one of \"requestReset\""),
    Row("/endpoints/0/method", value: nil, words: "is missing"),
    Row("/endpoints/0/method", value: "post", words: "must be one of \"GET\""),
    Row("/endpoints/0/path", value: nil, words: "is missing"),
    Row("/endpoints/0/path", value: "forgot", words: "must begin with \"/\""),
    Row("/endpoints/0/path", value: "/a?b", words: "plain path"),
    Row("/endpoints/0/path", value: "/a{b}", words: "between slashes"),
    Row("/endpoints/0/path", value: "/{a=**}", words: "between slashes"),
    Row("/endpoints/0/path", value: "/{a}/{a}", words: "twice"),
    Row("/endpoints/1/path", value: "/forgot", at: "/endpoints/1", words: "of an earlier endpoint"),
    Row(
      "/endpoints/2/clients", value: ["tv"], at: "/endpoints/2/clients/0", words: "not a client of"),
    Row("/endpoints/0/fields", value: nil, words: "is missing"),
    Row(
      "/endpoints/0/fields", value: [:], at: "/endpoints/0/fields/email",
      words: "and so is \"phone\""),
    Row("/endpoints/0/fields/token", value: "t", words: "is unknown here"),
    Row("/endpoints/0/fields/phone", value: "a..b", words: "must name a field"),
    Row("/endpoints/0/fields/phone", value: "query:", words: "must name a field"),
    Row("/endpoints/0/fields/phone", value: "path:p", words: "no variable of the path"),
    Row("/endpoints/3/fields/phone", value: "phone", words: "body of a GET request"),
    Row("/endpoints/4/fields/newPassword", value: nil, words: "is missing"),
    Row("/endpoints/0/sends", value: nil, words: "is missing"),
    Row("/endpoints/0/sends", value: "letter", words: "not a message of \"messages\""),
    Row("/endpoints/0/sends", value: "notice", words: "must be a message for \"token\""),
    Row("/endpoints/5/sends", value: "notice", words: "sends no message"),
    Row("/endpoints/5/hidesUnknown", value: true, words: "has no meaning"),
    Row("/endpoints/0/endsSessions", value: true, words: "has no meaning"),
    Row("/endpoints/0/replies/accepted", value: nil, words: "the endpoint can end that way"),
    Row("/endpoints/1/replies/unknownAccount", value: nil, words: "the endpoint can end that way"),
    Row(
      "/endpoints/1/hidesUnknown", value: true, at: "/endpoints/1/replies/unknownAccount",
      words: "never an outcome"),
    Row("/endpoints/0/replies/signedIn", value: [:], words: "never an outcome"),
    Row(
      "/endpoints/0/replies/accepted/message", value: "{token}", words: "{token} has no value here"),
    Row(
      "/endpoints/0/replies/accepted/body", value: "{userId}", words: "{userId} has no value here"),
    Row(
      "/replies/tooManyRequests", value: nil, at: "/endpoints/0/replies/tooManyRequests",
      words: "is missing"),
    Row(
      "/replies/invalidToken", value: nil, at: "/endpoints/3/replies/invalidToken",
      words: "is missing"),
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
    let namesake = try Sample.definition([Edit("/serve/prefix", value: "/other")])
    do throws(DefinitionFault) {
      _ = try DialectSet([one, namesake])
    } catch {
      #expect(error.pointer == "/name")
    }
    let neighbour = try Sample.definition([Edit("/name", value: "other")])
    do throws(DefinitionFault) {
      _ = try DialectSet([one, neighbour])
      Issue.record("taken")
    } catch {
      #expect(error.pointer == "/serve")
    }
  }
}
