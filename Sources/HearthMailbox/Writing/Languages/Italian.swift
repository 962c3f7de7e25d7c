extension Language {
  static let italian = Language(
    tag: "it", mails: .italian, pages: .italian,
    provider: .italian, mailbox: .italian)
}

extension MailWords {
  fileprivate static let italian = MailWords(
    greeting: "Ciao,",
    namedGreeting: "Ciao \(.name),",
    copyHint: "Se il pulsante non funziona, copia questo indirizzo nel browser:",
    signature: "Il team di \(.app)",
    textMessage: "\(.code) è il tuo codice di verifica per \(.app).",
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

extension PageWords {
  fileprivate static let italian = PageWords(
    choosePassword: "Scegli una nuova password",
    choosePasswordAgain: "Errore: scegli una nuova password",
    email: "Indirizzo email",
    newPassword: "Nuova password",
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
        Un link di accesso ha bisogno di un {name}, dove l’app prosegue. Indicalo nelle \
        impostazioni del codice azione quando chiedi il link.
        """),
    showPassword: "Mostra la password",
    passwordRules: PasswordRules(
      heading: "La password deve avere:",
      atLeast: "Almeno {count} caratteri",
      atMost: "Al massimo {count} caratteri",
      lowercase: "Una lettera minuscola",
      uppercase: "Una lettera maiuscola",
      digit: "Una cifra",
      symbol: "Un carattere speciale come ! o ?",
      missing: "Manca ancora: {rules}",
      met: "La password soddisfa i requisiti.",
      refused: "Questa password non soddisfa i requisiti."),
    openInApp: "Apri nell’app",
    opensAddress: "Apre l’indirizzo {url} in un’app di questo dispositivo.",
    continueInBrowser: "Continua nel browser",
    unsafeAddress: "Il link porterebbe a {url}. Gli indirizzi di questo tipo non vengono aperti.",
    codeUsed: Notice(
      title: "Questo link è già stato usato",
      message: """
        Un link vale una sola volta, e questo ha già svolto il suo compito. Se non l’hai \
        usato tu, chiedine uno nuovo nell’app.
        """),
    emailTaken: Notice(
      title: "Questo indirizzo è già in uso",
      message: "Un altro account usa questo indirizzo. Scegline uno diverso nell’app."),
    signIn: Notice(
      title: "Continua nell’app",
      message: "Hai chiesto un link per accedere senza password. L’app completa l’accesso."))
}

extension ProviderWords {
  fileprivate static let italian = ProviderWords(
    signIn: "Accedi con {provider}",
    notice: "Questa pagina sostituisce il provider. Nulla gli viene inviato.",
    accounts: "Account",
    newAccount: "Nuovo account",
    addAccount: "Aggiungi un account",
    needsScript: "Questa pagina richiede JavaScript, come gli SDK.",
    noAccounts: "Non ci sono ancora account di {provider}.",
    choose: "Scegli un account o aggiungine uno.",
    noName: "(senza nome)",
    generate: "Genera i dati",
    email: "Indirizzo e-mail",
    displayName: "Nome visualizzato (facoltativo)",
    screenName: "Nome utente (facoltativo)",
    photo: "URL della foto del profilo (facoltativo)",
    back: "Indietro",
    invalidEmail: "Inserisci un indirizzo e-mail valido.",
    missingEmail: "L’indirizzo e-mail è obbligatorio.",
    openerGone: "La pagina che ha aperto questa non esiste più. Chiudila e riprova.")
}

extension MailboxWords {
  fileprivate static let italian = MailboxWords(
    title: "Posta di {project}",
    project: "Progetto",
    show: "Mostra",
    reloads: "Questa pagina si ricarica ogni 3 secondi.",
    stop: "Ferma",
    staysAsItIs: "Questa pagina non si ricarica da sola.",
    reload: "Ricarica ogni 3 secondi",
    empty: """
      Ancora nessun messaggio. Richiedi una nuova password o la verifica di un indirizzo \
      e-mail: il messaggio apparirà qui.
      """,
    count: "Messaggi, dal più recente: {count}",
    to: "A",
    from: "Da",
    subject: "Oggetto",
    type: "Tipo",
    state: "Stato",
    time: "Ora",
    tenant: "Tenant",
    language: "Lingua",
    sent: "Inviato",
    expires: "Scade",
    used: "Usato",
    link: "Link",
    openLink: "Apri il link",
    copyLink: "Copia il link",
    code: "Codice",
    copyCode: "Copia il codice",
    copied: "Copiato",
    message: "Messaggio",
    plainText: "Come testo semplice",
    otherForms: "Anche come {forms}.",
    missing: "Il messaggio non esiste",
    missingIn: "Il progetto {project} non ha nessun messaggio {id}.",
    pending: "in attesa",
    isUsed: "usato",
    expired: "scaduto",
    notSent: "non inviato",
    noSubject: "(nessun oggetto)",
    textMessage: "SMS")
}
