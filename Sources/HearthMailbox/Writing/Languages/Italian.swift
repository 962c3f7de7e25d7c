extension Language {
  static let italian = Language(
    tag: "it",
    greeting: "Ciao,",
    copyHint: "Se il pulsante non funziona, copia questo indirizzo nel browser:",
    signature: "Il team di \(.app)",
    passwordReset: Wording(
      subject: "Reimposta la password di \(.app)",
      message: """
        qualcuno, probabilmente tu, vuole una nuova password per l’account \(.address) di \
        \(.app). Apri questo link per sceglierla:
        """,
      button: "Scegli una nuova password",
      disregard: "Se non sei stato tu, ignora questa e-mail; la password resta com’è."),
    verifyEmail: Wording(
      subject: "Verifica il tuo indirizzo e-mail per \(.app)",
      message: """
        conferma che \(.address) è il tuo indirizzo e quello del tuo account \(.app) aprendo \
        questo link:
        """,
      button: "Conferma il mio indirizzo",
      disregard: "Se non hai un account del genere, ignora questa e-mail."),
    emailSignIn: Wording(
      subject: "Accedi a \(.app)",
      message: "con questo link accedi a \(.app) come \(.address), senza password:",
      button: "Accedi a \(.app)",
      disregard: "Se non vuoi accedere, ignora questa e-mail; il link vale una sola volta."),
    verifyAndChangeEmail: Wording(
      subject: "Verifica il tuo nuovo indirizzo e-mail per \(.app)",
      message: """
        d’ora in poi vuoi accedere a \(.app) con \(.newAddress) invece che con \(.address). \
        Apri questo link per confermare il nuovo indirizzo:
        """,
      button: "Conferma il nuovo indirizzo",
      disregard: "Se non hai chiesto questa modifica, ignora questa e-mail; non cambia nulla."),
    recoverEmail: Wording(
      subject: "Il tuo indirizzo di accesso a \(.app) è cambiato",
      message: """
        l’indirizzo con cui accedi a \(.app) è passato da \(.address) a \(.newAddress). \
        Se la modifica non è opera tua, apri questo link per annullarla:
        """,
      button: "Ripristina il mio indirizzo",
      disregard: "Se hai fatto tu la modifica, non devi fare nulla."))
}
