extension Language {
  static let german = Language(
    tag: "de",
    greeting: "Guten Tag,",
    copyHint: "Falls die Schaltfläche nicht funktioniert, öffnen Sie diese Adresse im Browser:",
    signature: "Ihr \(.app)-Team",
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
