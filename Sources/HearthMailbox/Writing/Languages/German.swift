extension Language {
  static let german = Language(
    tag: "de", mails: .german, pages: .german,
    provider: .german, mailbox: .german)
}

extension MailWords {
  fileprivate static let german = MailWords(
    greeting: "Guten Tag,",
    namedGreeting: "Guten Tag \(.name),",
    copyHint: "Falls die Schaltfläche nicht funktioniert, öffnen Sie diese Adresse im Browser:",
    signature: "Ihr \(.app)-Team",
    textMessage: "\(.code) ist Ihr Bestätigungscode für \(.app).",
    passwordReset: Wording(
      subject: "Passwort für \(.app) zurücksetzen",
      message: """
        jemand, hoffentlich Sie, möchte ein neues Passwort für das \(.app)-Konto \(.address). \
        Über diesen Link können Sie es festlegen:
        """,
      button: "Neues Passwort wählen",
      disregard: """
        Wenn Sie das nicht waren, beachten Sie diese E-Mail nicht weiter; Ihr Passwort bleibt, \
        wie es ist.
        """),
    verifyEmail: Wording(
      subject: "E-Mail-Adresse für \(.app) bestätigen",
      message: """
        bitte bestätigen Sie, dass \(.address) Ihnen und zu Ihrem \(.app)-Konto gehört. \
        Öffnen Sie dazu diesen Link:
        """,
      button: "Adresse bestätigen",
      disregard: "Wenn Sie kein solches Konto haben, beachten Sie diese E-Mail nicht weiter."),
    emailSignIn: Wording(
      subject: "Bei \(.app) anmelden",
      message: "mit diesem Link melden Sie sich ohne Passwort als \(.address) bei \(.app) an:",
      button: "Bei \(.app) anmelden",
      disregard: """
        Wenn Sie sich nicht anmelden möchten, beachten Sie diese E-Mail nicht weiter; der Link \
        gilt nur einmal.
        """),
    verifyAndChangeEmail: Wording(
      subject: "Neue E-Mail-Adresse für \(.app) bestätigen",
      message: """
        künftig möchten Sie sich bei \(.app) mit \(.newAddress) statt mit \(.address) anmelden. \
        Bestätigen Sie die neue Adresse über diesen Link:
        """,
      button: "Neue Adresse bestätigen",
      disregard: """
        Wenn Sie diese Änderung nicht wünschen, beachten Sie diese E-Mail nicht weiter; es bleibt \
        alles beim Alten.
        """),
    recoverEmail: Wording(
      subject: "Ihre Anmeldeadresse für \(.app) wurde geändert",
      message: """
        die Adresse, mit der Sie sich bei \(.app) anmelden, wurde von \(.address) in \
        \(.newAddress) geändert. Wenn Sie das nicht veranlasst haben, machen Sie die Änderung über \
        diesen Link rückgängig:
        """,
      button: "Alte Adresse wiederherstellen",
      disregard: "Wenn Sie die Adresse selbst geändert haben, müssen Sie nichts tun."))
}

extension PageWords {
  fileprivate static let german = PageWords(
    choosePassword: "Neues Passwort wählen",
    choosePasswordAgain: "Fehler: neues Passwort wählen",
    email: "E-Mail-Adresse",
    newPassword: "Neues Passwort",
    savePassword: "Passwort speichern",
    onward: "Weiter",
    failed: "Das ist fehlgeschlagen",
    passwordChanged: Notice(
      title: "Passwort geändert",
      message: "Sie können sich jetzt als {email} mit Ihrem neuen Passwort anmelden."),
    emailVerified: Notice(
      title: "E-Mail-Adresse bestätigt",
      message: "{email} ist bestätigt. Sie können sich jetzt damit anmelden."),
    emailChanged: Notice(
      title: "E-Mail-Adresse geändert",
      message: "{email} ist bestätigt. Melden Sie sich ab jetzt mit dieser Adresse an."),
    emailRestored: Notice(
      title: "E-Mail-Adresse wiederhergestellt",
      message: """
        {email} ist wieder die Adresse Ihres Kontos. Wenn Sie die Änderung nicht veranlasst \
        haben, kennt vielleicht jemand Ihr Passwort: Setzen Sie es jetzt zurück.
        """),
    codeExpired: Notice(
      title: "Dieser Link ist abgelaufen",
      message: "Der Link war nur begrenzte Zeit gültig. Fordern Sie in der App einen neuen an."),
    codeInvalid: Notice(
      title: "Dieser Link funktioniert nicht",
      message: """
        Er wurde schon verwendet, ersetzt oder nicht vollständig kopiert. Fordern Sie in der App \
        einen neuen an.
        """),
    missingParameter: Notice(
      title: "Dieser Link ist unvollständig",
      message: """
        Sein Parameter {name} fehlt oder ist unverständlich. Kopieren Sie den ganzen Link.
        """),
    missingContinueURL: Notice(
      title: "Dieser Link führt nirgendwohin",
      message: """
        Ein Anmeldelink braucht eine {name}, unter der die App übernimmt. Geben Sie sie in \
        den Action-Code-Einstellungen an, wenn der Link angefordert wird.
        """),
    showPassword: "Passwort anzeigen",
    passwordRules: PasswordRules(
      heading: "Das Passwort braucht:",
      atLeast: "Mindestens {count} Zeichen",
      atMost: "Höchstens {count} Zeichen",
      lowercase: "Einen Kleinbuchstaben",
      uppercase: "Einen Großbuchstaben",
      digit: "Eine Ziffer",
      symbol: "Ein Sonderzeichen wie ! oder ?",
      missing: "Es fehlt noch: {rules}",
      met: "Das Passwort erfüllt die Anforderungen.",
      refused: "Dieses Passwort erfüllt die Anforderungen nicht."),
    openInApp: "In der App öffnen",
    opensAddress: "Damit wird die Adresse {url} in einer App auf diesem Gerät geöffnet.",
    continueInBrowser: "Im Browser fortfahren",
    unsafeAddress:
      "Der Link würde zu {url} weiterführen. Adressen dieser Art werden nicht geöffnet.",
    codeUsed: Notice(
      title: "Dieser Link wurde schon verwendet",
      message: """
        Ein Link gilt nur einmal, und dieser hat seine Aufgabe erfüllt. Wenn Sie ihn nicht \
        verwendet haben, fordern Sie in der App einen neuen an.
        """),
    emailTaken: Notice(
      title: "Diese Adresse ist vergeben",
      message: "Ein anderes Konto verwendet diese Adresse. Wählen Sie in der App eine andere."),
    signIn: Notice(
      title: "Weiter in der App",
      message: """
        Sie haben einen Link zum Anmelden ohne Passwort angefordert. Die App schließt die \
        Anmeldung ab.
        """))
}

extension ProviderWords {
  fileprivate static let german = ProviderWords(
    signIn: "Mit {provider} anmelden",
    notice: "Diese Seite steht für den Anbieter. Er erhält nichts.",
    accounts: "Konten",
    newAccount: "Neues Konto",
    addAccount: "Konto hinzufügen",
    needsScript: "Diese Seite braucht JavaScript, wie auch die SDKs.",
    noAccounts: "Es gibt noch keine Konten bei {provider}.",
    choose: "Wählen Sie ein Konto oder fügen Sie eines hinzu.",
    noName: "(ohne Anzeigenamen)",
    generate: "Angaben automatisch erzeugen",
    email: "E-Mail-Adresse",
    displayName: "Anzeigename (optional)",
    screenName: "Benutzername (optional)",
    photo: "Adresse des Profilbilds (optional)",
    back: "Zurück",
    invalidEmail: "Geben Sie eine gültige E-Mail-Adresse ein.",
    missingEmail: "Die E-Mail-Adresse fehlt.",
    openerGone: """
      Die Seite, die diese geöffnet hat, ist nicht mehr da. Schließen Sie diese Seite und \
      versuchen Sie es noch einmal.
      """)
}

extension MailboxWords {
  fileprivate static let german = MailboxWords(
    title: "Postfach von {project}",
    project: "Projekt",
    show: "Anzeigen",
    reloads: "Diese Seite wird alle 3 Sekunden neu geladen.",
    stop: "Anhalten",
    staysAsItIs: "Diese Seite wird nicht von selbst neu geladen.",
    reload: "Alle 3 Sekunden neu laden",
    empty: """
      Noch keine Nachrichten. Fordern Sie ein neues Passwort oder eine Bestätigung der \
      E-Mail-Adresse an, und die Nachricht erscheint hier.
      """,
    count: "Nachrichten, neueste zuerst: {count}",
    to: "An",
    from: "Von",
    subject: "Betreff",
    type: "Art",
    state: "Zustand",
    time: "Zeit",
    tenant: "Mandant",
    language: "Sprache",
    sent: "Gesendet",
    expires: "Läuft ab",
    used: "Verwendet",
    link: "Link",
    openLink: "Link öffnen",
    copyLink: "Link kopieren",
    code: "Code",
    copyCode: "Code kopieren",
    copied: "Kopiert",
    message: "Nachricht",
    plainText: "Als reiner Text",
    otherForms: "Auch als {forms}.",
    missing: "Diese Nachricht gibt es nicht",
    missingIn: "Im Projekt {project} gibt es keine Nachricht {id}.",
    pending: "offen",
    isUsed: "verwendet",
    expired: "abgelaufen",
    notSent: "nicht gesendet",
    noSubject: "(kein Betreff)",
    textMessage: "SMS")
}
