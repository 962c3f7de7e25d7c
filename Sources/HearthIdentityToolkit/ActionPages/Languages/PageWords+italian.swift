extension PageWords {
  static let italian = PageWords(
    tag: "it",
    choosePassword: "Scegli una nuova password",
    choosePasswordAgain: "Errore: scegli una nuova password",
    email: "Indirizzo email",
    newPassword: "Nuova password",
    passwordLength: "Almeno {count} caratteri.",
    savePassword: "Salva la password",
    onward: "Continua",
    failed: "Operazione non riuscita",
    passwordChanged: Notice(
      title: "Password modificata",
      message: "Ora puoi accedere come {email} con la nuova password."),
    emailVerified: Notice(
      title: "Indirizzo email verificato",
      message: "{email} è confermato. Ora puoi usarlo per accedere."),
    emailChanged: Notice(
      title: "Indirizzo email modificato",
      message: "{email} è confermato. D’ora in poi accedi con questo indirizzo."),
    emailRestored: Notice(
      title: "Indirizzo email ripristinato",
      message: """
        {email} è di nuovo l’indirizzo del tuo account. Se non hai chiesto tu la modifica, \
        qualcuno potrebbe conoscere la tua password: reimpostala subito.
        """),
    codeExpired: Notice(
      title: "Questo link è scaduto",
      message: "Il link era valido per un tempo limitato. Chiedine uno nuovo nell’app."),
    codeInvalid: Notice(
      title: "Questo link non funziona",
      message: """
        È già stato usato, è stato sostituito o non è stato copiato per intero. Chiedine uno \
        nuovo nell’app.
        """),
    missingParameter: Notice(
      title: "Questo link è incompleto",
      message: "Il suo parametro {name} manca o non è comprensibile. Copia il link per intero."),
    missingContinueURL: Notice(
      title: "Questo link non porta da nessuna parte",
      message: """
        Un link di accesso ha bisogno di un continueUrl, dove l’app prosegue. Indicalo nelle \
        impostazioni del codice azione quando chiedi il link.
        """))
}
