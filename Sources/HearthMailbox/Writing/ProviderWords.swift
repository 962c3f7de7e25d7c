/// The words of the page that takes the place of identity providers, in one language. `{provider}` is the
/// provider's name.
package struct ProviderWords: Sendable {
  package let signIn: String
  package let notice: String
  package let accounts: String
  package let newAccount: String
  package let addAccount: String
  package let needsScript: String
  package let noAccounts: String
  package let choose: String
  package let noName: String
  package let generate: String
  package let email: String
  package let displayName: String
  package let screenName: String
  package let photo: String
  package let back: String
  package let invalidEmail: String
  package let missingEmail: String
  package let openerGone: String
  package let recaptchaTitle: String
  package let recaptchaNotice: String
  package let returnToApp: String

  init(_ words: Words) {
    signIn = words["signIn"]
    notice = words["notice"]
    accounts = words["accounts"]
    newAccount = words["newAccount"]
    addAccount = words["addAccount"]
    needsScript = words["needsScript"]
    noAccounts = words["noAccounts"]
    choose = words["choose"]
    noName = words["noName"]
    generate = words["generate"]
    email = words["email"]
    displayName = words["displayName"]
    screenName = words["screenName"]
    photo = words["photo"]
    back = words["back"]
    invalidEmail = words["invalidEmail"]
    missingEmail = words["missingEmail"]
    openerGone = words["openerGone"]
    recaptchaTitle = words["recaptchaTitle"]
    recaptchaNotice = words["recaptchaNotice"]
    returnToApp = words["returnToApp"]
  }
}
