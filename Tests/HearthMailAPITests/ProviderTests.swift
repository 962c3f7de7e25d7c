import HearthMailAPI
import HearthMime
import HearthWire
import Testing

@Suite struct `A send API` {
  struct Sample: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let target: String
    var headers: [String: String]
    let body: String
    var status = 200

    init(
      _ name: String, target: String, headers: [String: String], body: String,
      status: Int = 200
    ) {
      testDescription = name
      self.target = target
      self.headers = headers
      self.body = body
      self.status = status
    }
  }

  private static let bearer = ["authorization": "Bearer key-1"]
  private static let aws = [
    "authorization": "AWS4-HMAC-SHA256 Credential=key-1/20261122/eu/ses/aws4_request, x"
  ]
  private static let basic = ["authorization": "Basic \(Base64.encode(Array("api:key-1".utf8)))"]
  private static let postmark = ["x-postmark-server-token": "key-1"]

  static let samples = [
    Sample(
      "Resend", target: "/emails", headers: bearer,
      body:
        #"{"from":"Ann <a@x.test>","to":"b@x.test","cc":["c@x.test"],"bcc":"d@x.test","subject":"Hi","text":"t","html":"<p>h</p>","attachments":[{"filename":"f.txt","content":[104,105]}]}"#
    ),
    Sample(
      "SendGrid", target: "/v3/mail/send", headers: bearer,
      body:
        #"{"from":{"email":"a@x.test","name":"Ann"},"personalizations":[{"to":[{"email":"b@x.test"}],"cc":[{"email":"c@x.test"}],"bcc":[{"email":"d@x.test"}],"substitutions":{"-n-":"Hi"}}],"subject":"-n-","content":[{"type":"text/plain","value":"t"},{"type":"text/html","value":"<p>h</p>"}],"attachments":[{"content":"aGk=","filename":"f.txt"}]}"#,
      status: 202),
    Sample(
      "Postmark", target: "/email", headers: postmark,
      body:
        #"{"From":"Ann <a@x.test>","To":"b@x.test","Cc":"c@x.test","Bcc":"d@x.test","Subject":"Hi","TextBody":"t","HtmlBody":"<p>h</p>","ReplyTo":null,"Headers":null,"Attachments":[{"Name":"f.txt","Content":"aGk=","ContentType":"text/plain"}]}"#
    ),
    Sample(
      "Mailgun", target: "/v3/x.test/messages",
      headers: basic.merging(["content-type": "multipart/form-data; boundary=q"]) { $1 },
      body: [
        ("from", "Ann <a@x.test>"), ("to", "b@x.test"), ("cc", "c@x.test"), ("bcc", "d@x.test"),
        ("subject", "Hi"), ("text", "t"), ("html", "<p>h</p>"),
      ].map { "--q\r\nContent-Disposition: form-data; name=\"\($0)\"\r\n\r\n\($1)\r\n" }.joined()
        + "--q\r\nContent-Disposition: form-data; name=\"attachment\"; filename=\"f.txt\"\r\n"
        + "Content-Type: text/plain\r\n\r\nhi\r\n--q--\r\n"),
    Sample(
      "SES v2", target: "/v2/email/outbound-emails", headers: aws,
      body:
        #"{"FromEmailAddress":"Ann <a@x.test>","Destination":{"ToAddresses":["b@x.test"],"CcAddresses":["c@x.test"],"BccAddresses":["d@x.test"]},"Content":{"Simple":{"Subject":{"Data":"Hi"},"Body":{"Text":{"Data":"t"},"Html":{"Data":"<p>h</p>"}},"Attachments":[{"RawContent":"aGk=","FileName":"f.txt"}]}}}"#
    ),
  ]

  @Test(arguments: samples)
  func `keeps the mail that it takes`(_ sample: Sample) async throws {
    let inbox = Inbox()
    let reply = await inbox.send(
      "POST", target: sample.target, body: sample.body, headers: sample.headers)
    #expect(reply.status == sample.status, "\(reply.text)")
    let mail = try #require(inbox.mails.first)
    #expect(mail.key == "key-1")
    #expect(mail.sender == "a@x.test")
    #expect(mail.recipients == ["b@x.test", "c@x.test", "d@x.test"])
    let read = try #require(inbox.read.first)
    #expect(read.from == [MimeAddress(name: "Ann", address: "a@x.test")])
    #expect(read.to.map(\.address) == ["b@x.test"])
    #expect(read.cc.map(\.address) == ["c@x.test"])
    #expect(read.subject == "Hi")
    #expect(read.text == "t\n" || read.text == "t")
    #expect(read.html == "<p>h</p>\n" || read.html == "<p>h</p>")
    #expect(read.attachments.map(\.fileName) == ["f.txt"])
    #expect(read.attachments.map(\.content) == [Array("hi".utf8)])
    #expect(read.defects == [])
  }

  @Test(arguments: samples)
  func `refuses who has no key`(_ sample: Sample) async {
    var headers = sample.headers
    headers["authorization"] = nil
    headers["x-postmark-server-token"] = nil
    let inbox = Inbox()
    let reply = await inbox.send("POST", target: sample.target, body: sample.body, headers: headers)
    #expect(reply.status == (sample.testDescription == "SES v2" ? 403 : 401))
    #expect(inbox.mails.isEmpty)
  }

  @Test(arguments: [
    ("/emails", "{}", 422), ("/emails", "[", 400), ("/emails/batch", "[]", 422),
    (
      "/emails", #"{"from":"x","to":"b@x.test","subject":"s","text":"t"}"#, 422
    ),
    (
      "/emails",
      #"{"from":"a@x.test","to":"b@x.test","subject":"s","text":"t","headers":1}"#, 422
    ),
    ("/v3/mail/send", "{}", 400), ("/email", "{}", 422),
    ("/email", #"{"From":"a@x.test","TextBody":"t"}"#, 422),
    ("/v3/x.test/messages", "to=b@x.test", 400),
    ("/v3/x.test/messages", "from=a@x.test&to=b@x.test", 400),
    ("/v2/email/outbound-emails", "{}", 400), ("/", "Action=Nothing", 400),
    ("/", "Action=SendTemplatedEmail&Template=none", 400), ("/elsewhere", "{}", 404),
  ])
  func `refuses what is wrong, as its provider does`(
    _ target: String, _ body: String, _ status: Int
  ) async {
    var headers = Self.bearer
    if target.hasSuffix("messages") { headers = Self.basic }
    if target == "/" || target.hasPrefix("/v2") { headers = Self.aws }
    headers["x-postmark-server-token"] = "k"
    let inbox = Inbox()
    let reply = await inbox.send("POST", target: target, body: body, headers: headers)
    #expect(reply.status == status, "\(reply.text)")
    #expect(inbox.mails.isEmpty)
    switch target {
    case "/emails", "/emails/batch": #expect(reply["name"]?.string != nil)
    case "/v3/mail/send": #expect(reply["errors"]?.array?.first?["message"] != nil)
    case "/email": #expect(reply["ErrorCode"]?.integer == 300)
    case "/": #expect(reply.text.contains("<Error><Type>Sender</Type><Code>"))
    case "/v2/email/outbound-emails": #expect(reply.headers["x-amzn-errortype"] != nil)
    default: #expect(reply["message"]?.string != nil)
    }
  }

  /// Requests that an SDK with types could not make.
  static let wrongTypes: [(target: String, body: String)] = [
    ("/emails", #"{"from":"a@x.test","to":"b@x.test","subject":5,"text":"t"}"#),
    ("/emails", #"{"from":"a@x.test","to":["b@x.test",5],"subject":"s","text":"t"}"#),
    ("/emails", #"{"from":"a@x.test","to":"b@x.test","subject":"s","text":"t","tags":"x"}"#),
    ("/emails", #"{"from":"a@x.test","to":"b@x.test","subject":"s","text":"t","attachments":"x"}"#),
    (
      "/emails",
      #"{"from":"a@x.test","to":"b@x.test","subject":"s","text":"t","attachments":[{"content":[300,-1,"x"]}]}"#
    ),
    (
      "/emails",
      #"{"from":"a@x.test","to":"b@x.test","subject":"s","text":"t","headers":{"X\r\nBcc":"c@x.test"}}"#
    ),
    (
      "/v3/mail/send",
      #"{"from":{"email":"a@x.test"},"personalizations":[{"to":[{"email":"b@x.test"},5]}],"subject":"s","content":[{"type":"text/plain","value":"t"}]}"#
    ),
    ("/email", #"{"From":"a@x.test","To":"b@x.test","TextBody":"t","Headers":{}}"#),
    ("/email", #"{"From":"a@x.test","To":"b@x.test","TextBody":"t","Headers":[5]}"#),
    ("/email", #"{"From":"a@x.test","To":"b@x.test","TextBody":"t","Attachments":"x"}"#),
    ("/email", #"[{"From":"a@x.test","To":"b@x.test","TextBody":"t"}]"#),
    ("/email/withTemplate", #"{"From":"a@x.test","To":"b@x.test","TextBody":"t"}"#),
    (
      "/v2/email/outbound-emails",
      #"{"FromEmailAddress":"a@x.test","Destination":{"ToAddresses":["b@x.test"]},"Content":{"Simple":{},"Raw":{}}}"#
    ),
    (
      "/v2/email/outbound-emails",
      #"{"FromEmailAddress":"a@x.test","Destination":{"ToAddresses":["b@x.test"]},"Content":{"Simple":{"Subject":{"Data":"s"},"Body":{}}}}"#
    ),
  ]

  @Test(arguments: wrongTypes)
  func `refuses fields of another type`(_ target: String, _ body: String) async {
    let inbox = Inbox()
    var headers = target.hasPrefix("/v2") ? Self.aws : Self.bearer
    headers["x-postmark-server-token"] = "k"
    let reply = await inbox.send("POST", target: target, body: body, headers: headers)
    #expect([400, 422].contains(reply.status), "\(reply.text)")
    #expect(inbox.mails.isEmpty)
  }

  @Test(arguments: [
    ("/emails", #""name":"method_not_allowed""#), ("/v3/mail/send", #"{"errors":["#),
    ("/email", #""ErrorCode":300"#), ("/v3/x.test/messages", #"{"message":"#),
    ("/v2/email/outbound-emails", #"{"message":"#), ("/", "<ErrorResponse"),
  ])
  func `refuses other methods and large bodies, as its provider does`(
    _ target: String, _ form: String
  ) async throws {
    let reply = await Inbox().send("DELETE", target: target, body: "")
    #expect(reply.status == 405)
    #expect(reply.text.contains(form), "\(reply.text)")
    let large = MailAPIRoutes.refusal(of: target[...], status: 413, "too large")
    #expect(large?.status == 413)
    #expect(MailAPIRoutes.refusal(of: "/elsewhere", status: 413, "too large") == nil)
  }

  @Test(
    arguments: samples,
    [(status: 429, amazon: "TooManyRequestsException"), (503, "InternalFailure")])
  func `fails as its provider does`(
    _ sample: Sample, _ failure: (status: Int, amazon: String)
  ) async {
    let inbox = Inbox()
    let reply = await inbox.send(
      "POST", target: sample.target, body: sample.body, headers: sample.headers,
      failing: failure.status)
    #expect(reply.status == failure.status)
    #expect(inbox.mails.isEmpty)
    switch sample.testDescription {
    case "Resend":
      let name = failure.status == 429 ? "rate_limit_exceeded" : "application_error"
      #expect(reply["name"]?.string == name)
    case "SendGrid":
      #expect(reply["errors"]?.array?.first?["message"]?.string == "on purpose")
    case "Postmark": #expect(reply["ErrorCode"]?.integer == Int64(failure.status))
    case "SES v2": #expect(reply.headers["x-amzn-errortype"] == failure.amazon)
    default: #expect(reply["message"]?.string == "on purpose")
    }
  }

  @Test func `of Resend answers an idempotency key once a day`() async {
    let inbox = Inbox()
    let body = Self.samples[0].body
    let headers = Self.bearer.merging(["idempotency-key": "once"]) { $1 }
    let first = await inbox.send("POST", target: "/emails", body: body, headers: headers)
    let second = await inbox.send("POST", target: "/emails", body: body, headers: headers)
    #expect(first.text == second.text)
    #expect(inbox.mails.count == 1)
    let other = await inbox.send("POST", target: "/emails", body: body + " ", headers: headers)
    #expect(other.status == 409)
    inbox.wait(seconds: 86_400)
    let later = await inbox.send("POST", target: "/emails", body: body, headers: headers)
    #expect(later.status == 200)
    #expect(inbox.mails.count == 2)
  }

  @Test func `of Resend sends a batch as a whole or in parts`() async {
    let inbox = Inbox()
    let batch = "[\(Self.samples[0].body),{\"from\":\"a@x.test\"}]"
    let strict = await inbox.send(
      "POST", target: "/emails/batch", body: batch, headers: Self.bearer)
    #expect(strict.status == 422)
    #expect(inbox.mails.isEmpty)
    let permissive = await inbox.send(
      "POST", target: "/emails/batch", body: batch,
      headers: Self.bearer.merging(["x-batch-validation": "permissive"]) { $1 })
    #expect(permissive["data"]?.array?.count == 1)
    #expect(permissive["errors"]?.array?.first?["index"]?.integer == 1)
  }

  @Test func `of Resend tells what became of a mail`() async {
    let inbox = Inbox()
    let sent = await inbox.send(
      "POST", target: "/emails", body: Self.samples[0].body, headers: Self.bearer)
    let target = "/emails/\(sent["id"]?.string ?? "")"
    #expect(
      await inbox.send("GET", target: target, body: "", headers: Self.bearer)["last_event"]?.string
        == "delivered")
    _ = await inbox.send(
      "PATCH", target: target, body: #"{"scheduled_at":"tomorrow"}"#, headers: Self.bearer)
    #expect(
      await inbox.send("GET", target: target, body: "", headers: Self.bearer)["scheduled_at"]?
        .string == "tomorrow")
    _ = await inbox.send("POST", target: target + "/cancel", body: "", headers: Self.bearer)
    #expect(
      await inbox.send("GET", target: target, body: "", headers: Self.bearer)["last_event"]?.string
        == "canceled")
    #expect(
      await inbox.send("GET", target: "/emails", body: "", headers: Self.bearer)["data"]?.array?
        .count == 1)
    #expect(
      await inbox.send("GET", target: "/emails/other", body: "", headers: Self.bearer).status == 404
    )
  }

  @Test func `of Mailgun fills in each recipient's values`() async {
    let inbox = Inbox()
    let body =
      "from=a@x.test&to=b@x.test,c@x.test&subject=Hi+%25recipient.name%25&text=t"
      + "&recipient-variables=" + #"{"b@x.test":{"name":"Bo"},"c@x.test":{"name":"Cy"}}"#
    _ = await inbox.send("POST", target: "/v3/x.test/messages", body: body, headers: Self.basic)
    #expect(inbox.read.map(\.subject) == ["Hi Bo", "Hi Cy"])
    #expect(inbox.mails.map(\.recipients) == [["b@x.test"], ["c@x.test"]])
  }

  @Test func `of SES fills in templates`() async {
    let inbox = Inbox()
    _ = await inbox.send(
      "POST", target: "/v2/email/templates",
      body:
        #"{"TemplateName":"t","TemplateContent":{"Subject":"Hi {{name}}","Text":"{{a.b}} {{none}}."}}"#,
      headers: Self.aws)
    let sent = await inbox.send(
      "POST", target: "/v2/email/outbound-bulk-emails",
      body:
        #"{"FromEmailAddress":"a@x.test","DefaultContent":{"Template":{"TemplateName":"t","TemplateData":"{\"name\":\"you\",\"a\":{\"b\":1}}"}},"BulkEmailEntries":[{"Destination":{"ToAddresses":["b@x.test"]}},{"Destination":{}}]}"#,
      headers: Self.aws)
    #expect(inbox.read.map(\.subject) == ["Hi you"])
    #expect(inbox.read.first?.text?.hasPrefix("1 .") == true)
    #expect(
      sent["BulkEmailEntryResults"]?.array?.compactMap { $0["Status"]?.string }
        == ["SUCCESS", "MESSAGE_REJECTED"])
    let query = await inbox.send(
      "POST", target: "/",
      body: "Action=SendTemplatedEmail&Source=a@x.test&Destination.ToAddresses.member.1=b@x.test"
        + "&Template=t&TemplateData=%7B%22name%22%3A%22Q%22%7D", headers: Self.aws)
    #expect(query.text.contains("<MessageId>"))
    #expect(inbox.read.last?.subject == "Hi Q")
  }

  @Test(arguments: [
    ("bounced+label@resend.dev", ProviderMail.Fate.bounced), ("complained@resend.dev", .complained),
    ("Hard_Bounce@bounce-testing.postmarkapp.com", .bounced),
    ("complaint@simulator.amazonses.com", .complained), ("suppressed@resend.dev", .dropped),
  ])
  func `knows the test addresses of the providers`(_ address: String, _ fate: ProviderMail.Fate)
    async
  {
    let inbox = Inbox()
    _ = await inbox.send(
      "POST", target: "/emails",
      body: #"{"from":"a@x.test","to":"\#(address)","subject":"s","text":"t"}"#,
      headers: Self.bearer)
    #expect(inbox.mails.map(\.fate) == [fate])
  }
}
