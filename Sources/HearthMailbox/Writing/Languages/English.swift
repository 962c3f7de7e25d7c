extension Language {
  static let english = Language(
    tag: "en", mails: .english, pages: .english,
    provider: .english, mailbox: .english)
}

extension MailWords {
  fileprivate static let english = MailWords(
    greeting: "Hello,",
    namedGreeting: "Hello \(.name),",
    copyHint: "If the button does nothing, copy this address into your browser:",
    signature: "Your \(.app) team",
    textMessage: "\(.code) is your verification code for \(.app).",
    passwordReset: Wording(
      subject: "Reset your password for \(.app)",
      message: """
        Someone, hopefully you, wants a new password for the \(.app) account \(.address). \
        Open this link to choose one:
        """,
      button: "Choose a new password",
      disregard: "If it was not you, ignore this mail; your password stays as it is."),
    verifyEmail: Wording(
      subject: "Verify your email address for \(.app)",
      message: """
        Please confirm that \(.address) belongs to you and to your \(.app) account. \
        Open this link to do so:
        """,
      button: "Confirm my address",
      disregard: "If you have no such account, ignore this mail."),
    emailSignIn: Wording(
      subject: "Sign in to \(.app)",
      message: "With this link you sign in to \(.app) as \(.address), without a password:",
      button: "Sign in to \(.app)",
      disregard: "If you do not want to sign in, ignore this mail; the link works only once."),
    verifyAndChangeEmail: Wording(
      subject: "Verify your new email address for \(.app)",
      message: """
        From now on you want to sign in to \(.app) with \(.newAddress) instead of \(.address). \
        Open this link to confirm the new address:
        """,
      button: "Confirm my new address",
      disregard: "If you did not ask for this change, ignore this mail; nothing changes."),
    recoverEmail: Wording(
      subject: "Your sign-in email for \(.app) was changed",
      message: """
        The address with which you sign in to \(.app) was changed from \(.address) to \
        \(.newAddress). If this was not your doing, open this link to take the change back:
        """,
      button: "Restore my address",
      disregard: "If you made the change yourself, there is nothing to do."))
}

extension PageWords {
  fileprivate static let english = PageWords(
    choosePassword: "Choose a new password",
    choosePasswordAgain: "Error: choose a new password",
    email: "E-mail address",
    newPassword: "New password",
    savePassword: "Save the password",
    onward: "Continue",
    failed: "That failed",
    passwordChanged: Notice(
      title: "Password changed",
      message: "You can now sign in as {email} with your new password."),
    emailVerified: Notice(
      title: "E-mail address verified",
      message: "{email} is confirmed. You can now sign in with it."),
    emailChanged: Notice(
      title: "E-mail address changed",
      message: "{email} is confirmed. From now on, sign in with this address."),
    emailRestored: Notice(
      title: "E-mail address restored",
      message: """
        {email} is the address of your account again. If you did not ask for the change, \
        somebody may know your password: reset it now.
        """),
    codeExpired: Notice(
      title: "This link has expired",
      message: "The link was valid for a limited time. Ask for a new one in the app."),
    codeInvalid: Notice(
      title: "This link does not work",
      message: """
        It has been used before, was replaced, or was not copied as a whole. Ask for a new one \
        in the app.
        """),
    missingParameter: Notice(
      title: "This link is incomplete",
      message: "Its parameter {name} is missing or not understood. Copy the whole link."),
    missingContinueURL: Notice(
      title: "This link leads nowhere",
      message: """
        A sign-in link needs a {name}, where the app takes over. Set it in the action code \
        settings when the link is asked for.
        """),
    showPassword: "Show the password",
    passwordRules: PasswordRules(
      heading: "The password needs:",
      atLeast: "At least {count} characters",
      atMost: "At most {count} characters",
      lowercase: "A lowercase letter",
      uppercase: "An uppercase letter",
      digit: "A digit",
      symbol: "A special character such as ! or ?",
      missing: "Still missing: {rules}",
      met: "The password meets the requirements.",
      refused: "This password does not meet the requirements."),
    openInApp: "Open in the app",
    opensAddress: "This opens the address {url} in an app on this device.",
    continueInBrowser: "Continue in the browser",
    unsafeAddress: "The link would lead on to {url}. Addresses of this kind are not opened.",
    codeUsed: Notice(
      title: "This link has been used",
      message: """
        A link works only once, and this one has done its work. If you did not use it, ask \
        for a new one in the app.
        """),
    emailTaken: Notice(
      title: "This address is in use",
      message: "Another account uses this address. Choose a different one in the app."),
    signIn: Notice(
      title: "Continue in the app",
      message: "You asked for a link to sign in without a password. The app finishes the sign-in."))
}

extension ProviderWords {
  fileprivate static let english = ProviderWords(
    signIn: "Sign in with {provider}",
    notice: "This page takes the place of the provider. Nothing is sent to it.",
    accounts: "Accounts",
    newAccount: "New account",
    addAccount: "Add new account",
    needsScript: "This page needs JavaScript, as the SDKs do.",
    noAccounts: "No {provider} accounts exist yet.",
    choose: "Please select an existing account or add a new one.",
    noName: "(no display name)",
    generate: "Auto-generate user information",
    email: "Email",
    displayName: "Display name (optional)",
    screenName: "Screen name (optional)",
    photo: "Profile photo URL (optional)",
    back: "Back",
    invalidEmail: "Enter a valid email address.",
    missingEmail: "The email address is required.",
    openerGone: "The page that opened this one is gone. Close it and try again.")
}

extension MailboxWords {
  fileprivate static let english = MailboxWords(
    title: "Mailbox of {project}",
    project: "Project",
    show: "Show",
    reloads: "This page reloads every 3 seconds.",
    stop: "Stop",
    staysAsItIs: "This page does not reload by itself.",
    reload: "Reload every 3 seconds",
    empty: "No mail yet. Ask for a password reset or an e-mail verification, and it appears here.",
    count: "Messages, newest first: {count}",
    to: "To",
    from: "From",
    subject: "Subject",
    type: "Type",
    state: "State",
    time: "Time",
    tenant: "Tenant",
    language: "Language",
    sent: "Sent",
    expires: "Expires",
    used: "Used",
    link: "Link",
    openLink: "Open the link",
    copyLink: "Copy the link",
    code: "Code",
    copyCode: "Copy the code",
    copied: "Copied",
    message: "Message",
    plainText: "As plain text",
    otherForms: "Also as {forms}.",
    missing: "No such message",
    missingIn: "Project {project} has no message {id}.",
    pending: "pending",
    isUsed: "used",
    expired: "expired",
    notSent: "not sent",
    noSubject: "(no subject)",
    textMessage: "Text message")
}
