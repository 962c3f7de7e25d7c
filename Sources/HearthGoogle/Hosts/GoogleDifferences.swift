/// What production has at the hosts that are played, and the mode as Google does not: the table of the
/// guide `AsGoogle.md`.
package enum GoogleDifferences {
  struct Row {
    /// Empty for what concerns all hosts.
    let hosts: [String]
    let production: String
    let here: String
  }

  /// The Markdown table.
  package static var markdown: String {
    let lines = rows.map { row in
      let hosts = row.hosts.map { "`\($0)`" }.joined(separator: ", ")
      return "| \(hosts.isEmpty ? "all" : hosts) | \(row.production) | \(row.here) |"
    }
    return (["| hosts | in production | here |", "|---|---|---|"] + lines).joined(separator: "\n")
  }

  /// In the place of a project's id.
  static let project = "PROJECT"

  static let rows = ofAll + ofTokens + ofServices + ofPages

  private static let ofAll = [
    Row(
      hosts: [], production: "certificates of public authorities, for months",
      here: "an authority of a day, or of `--trust-days`, which the command alone trusts"),
    Row(hosts: [], production: "HTTP/3", here: "HTTP/1.1 and HTTP/2"),
    Row(
      hosts: [], production: "other services of Google: storage, functions",
      here: "501 with the host's name; 12 over gRPC"),
  ]

  private static let ofTokens = [
    Row(
      hosts: ["oauth2.googleapis.com"], production: "access tokens open what IAM grants",
      here: "an access token of the service account opens everything of the project"),
    Row(
      hosts: ["oauth2.googleapis.com"],
      production: "scopes and audiences limit an access token",
      here: "they are not checked after it is issued"),
    Row(
      hosts: ["iamcredentials.googleapis.com"],
      production: "accounts exist in IAM, and roles say who may act as whom",
      here: "one account, which Hearth has made, or the one of `--service-account`"),
    Row(
      hosts: ["sts.googleapis.com"],
      production: "pools of workload identity with providers and conditions",
      here: "no pools: a subject token counts if Hearth issued it or knows the keys of its issuer"),
    Row(
      hosts: ["metadata.google.internal"],
      production: "attributes of the instance, several accounts, changes that are waited for",
      here: "project, one account, its tokens"),
    Row(
      hosts: ["www.googleapis.com", "securetoken.google.com"],
      production: "keys change by themselves every few days",
      here: "keys stay until `keys:rotate`; other APIs below `www.googleapis.com` are 404"),
  ]

  private static let ofServices = [
    Row(
      hosts: ["identitytoolkit.googleapis.com", "securetoken.googleapis.com"],
      production: "SMS and mails arrive; reCAPTCHA refuses",
      here: "messages are in the mailbox; tokens of reCAPTCHA are not checked"),
    Row(
      hosts: ["firebaseappcheck.googleapis.com", "content-firebaseappcheck.googleapis.com"],
      production: "attestations are verified, by Apple and Google too",
      here: "the switch `appCheckAttestation` decides; see [App Check](AppCheck.md)"),
    Row(
      hosts: ["firestore.googleapis.com"],
      production: "IAM conditions, backups, databases that have to be created",
      here: "the service account may do everything; a database exists when it is first named"),
    Row(
      hosts: ["firebaseinstallations.googleapis.com"],
      production: "tokens are signed, and every service knows them",
      here: "installations are kept for messages; their tokens are not signed"),
    Row(
      hosts: ["api.twilio.com", "verify.twilio.com", "rest.nexmo.com", "api.nexmo.com"],
      production: "texts reach phones, and keys are checked",
      here: "texts are in the mailbox; see [Everything your app sends](AppMessages.md)"),
    Row(
      hosts: ["fcm.googleapis.com", "iid.googleapis.com"],
      production: "messages reach phones and browsers; tokens come from them",
      here: "messages are in the mailbox; see [Everything your app sends](AppMessages.md)"),
    Row(
      hosts: ["fcmregistrations.googleapis.com"],
      production: "a registration leads to the push service of the browser",
      here: "a device that is kept; browsers get nothing"),
    Row(
      hosts: ["api.resend.com", "api.sendgrid.com", "api.postmarkapp.com", "api.mailgun.net"],
      production: "mail is delivered, and keys are checked",
      here: "mail is in the mailbox; see [Send APIs](SendAPIs.md)"),
  ]

  private static let ofPages = [
    Row(
      hosts: ["\(project).firebaseapp.com", "\(project).web.app"],
      production: "the files of Hosting", here: "`/__/auth/*` and `/__/firebase/init.*`; else 501"),
    Row(
      hosts: ["\(project).firebaseapp.com"],
      production: "reCAPTCHA before a phone sign-in in an app for iOS",
      here: "a page that goes back to the app with a token"),
    Row(
      hosts: ["\(project).firebaseapp.com"],
      production: "identity providers ask their users",
      here: "a page of Hearth asks for an address, unless the switch `providerPages` is on"),
    Row(
      hosts: [
        "accounts.google.com", "openidconnect.googleapis.com", "www.google.com",
        "appleid.apple.com",
        "login.microsoftonline.com", "graph.microsoft.com",
      ],
      production: "people, passwords, consoles in which clients are registered; scripts for pages",
      here: "the project's personas, and every client unless some are registered; "
        + "[Identity providers](IdentityProviders.md) has the endpoints; else 501"),
    Row(
      hosts: [
        "github.com", "api.github.com", "www.facebook.com", "graph.facebook.com",
        "limited.facebook.com", "x.com",
        "api.x.com",
        "twitter.com", "api.twitter.com", "api.login.yahoo.com", "www.linkedin.com",
        "api.linkedin.com",
      ],
      production: "all of the service", here: "OAuth and the person's profile; else 501"),
    Row(
      hosts: ["apis.google.com"], production: "all of Google's client library",
      here: "the frame loader of pop-ups"),
  ]
}
