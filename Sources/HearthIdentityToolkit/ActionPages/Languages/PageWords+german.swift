extension PageWords {
  static let german = PageWords(
    tag: "de",
    choosePassword: "Neues Passwort wählen",
    choosePasswordAgain: "Fehler: neues Passwort wählen",
    email: "E-Mail-Adresse",
    newPassword: "Neues Passwort",
    passwordLength: "Mindestens {count} Zeichen.",
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
        Ein Anmeldelink braucht eine continueUrl, unter der die App übernimmt. Geben Sie sie in \
        den Action-Code-Einstellungen an, wenn der Link angefordert wird.
        """))
}
