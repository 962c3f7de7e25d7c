extension Language {
  static let french = Language(
    tag: "fr", mails: .french, pages: .french,
    provider: .french, mailbox: .french)
}

extension MailWords {
  fileprivate static let french = MailWords(
    greeting: "Bonjour,",
    namedGreeting: "Bonjour \(.name),",
    copyHint: "Si le bouton ne réagit pas, copiez cette adresse dans votre navigateur :",
    signature: "L’équipe \(.app)",
    textMessage: "\(.code) est votre code de validation pour \(.app).",
    passwordReset: Wording(
      subject: "Réinitialisez votre mot de passe pour \(.app)",
      message: """
        Quelqu’un, sans doute vous, souhaite un nouveau mot de passe pour le compte \(.app) de \
        \(.address). Ouvrez ce lien pour le choisir :
        """,
      button: "Choisir un nouveau mot de passe",
      disregard: """
        Si ce n’était pas vous, ignorez cet e-mail ; votre mot de passe reste inchangé.
        """),
    verifyEmail: Wording(
      subject: "Validez votre adresse e-mail pour \(.app)",
      message: """
        Merci de confirmer que l’adresse \(.address) est bien la vôtre et celle de votre compte \
        \(.app), en ouvrant ce lien :
        """,
      button: "Confirmer mon adresse",
      disregard: "Si vous n’avez pas de compte de ce nom, ignorez cet e-mail."),
    emailSignIn: Wording(
      subject: "Connectez-vous à \(.app)",
      message: """
        Ce lien vous connecte à \(.app) avec l’adresse \(.address), sans mot de passe :
        """,
      button: "Se connecter à \(.app)",
      disregard: """
        Si vous ne souhaitez pas vous connecter, ignorez cet e-mail ; le lien ne sert qu’une fois.
        """),
    verifyAndChangeEmail: Wording(
      subject: "Validez votre nouvelle adresse e-mail pour \(.app)",
      message: """
        Vous souhaitez désormais vous connecter à \(.app) avec \(.newAddress) au lieu de \
        \(.address). Ouvrez ce lien pour confirmer la nouvelle adresse :
        """,
      button: "Confirmer ma nouvelle adresse",
      disregard: """
        Si vous n’avez pas demandé ce changement, ignorez cet e-mail ; rien ne sera modifié.
        """),
    recoverEmail: Wording(
      subject: "Votre adresse de connexion à \(.app) a été modifiée",
      message: """
        L’adresse avec laquelle vous vous connectez à \(.app) est passée de \(.address) à \
        \(.newAddress). Si vous n’en êtes pas à l’origine, ouvrez ce lien pour annuler le \
        changement :
        """,
      button: "Rétablir mon adresse",
      disregard: "Si vous avez fait ce changement vous-même, vous n’avez rien à faire."))
}

extension PageWords {
  fileprivate static let french = PageWords(
    choosePassword: "Choisissez un nouveau mot de passe",
    choosePasswordAgain: "Erreur : choisissez un nouveau mot de passe",
    email: "Adresse e-mail",
    newPassword: "Nouveau mot de passe",
    savePassword: "Enregistrer le mot de passe",
    onward: "Continuer",
    failed: "Échec",
    passwordChanged: Notice(
      title: "Mot de passe modifié",
      message: """
        Vous pouvez maintenant vous connecter en tant que {email} avec votre nouveau mot de \
        passe.
        """),
    emailVerified: Notice(
      title: "Adresse e-mail validée",
      message: "{email} est confirmée. Vous pouvez maintenant l’utiliser pour vous connecter."),
    emailChanged: Notice(
      title: "Adresse e-mail modifiée",
      message: "{email} est confirmée. Connectez-vous désormais avec cette adresse."),
    emailRestored: Notice(
      title: "Adresse e-mail rétablie",
      message: """
        {email} est de nouveau l’adresse de votre compte. Si vous n’avez pas demandé ce \
        changement, quelqu’un connaît peut-être votre mot de passe : réinitialisez-le \
        maintenant.
        """),
    codeExpired: Notice(
      title: "Ce lien a expiré",
      message: """
        Le lien n’était valable que pour une durée limitée. Demandez-en un nouveau dans \
        l’application.
        """),
    codeInvalid: Notice(
      title: "Ce lien ne fonctionne pas",
      message: """
        Il a déjà été utilisé, a été remplacé ou n’a pas été copié en entier. Demandez-en un \
        nouveau dans l’application.
        """),
    missingParameter: Notice(
      title: "Ce lien est incomplet",
      message: "Son paramètre {name} manque ou n’est pas compris. Copiez le lien en entier."),
    missingContinueURL: Notice(
      title: "Ce lien ne mène nulle part",
      message: """
        Un lien de connexion nécessite une {name}, où l’application prend le relais. \
        Indiquez-la dans les paramètres du code d’action lorsque le lien est demandé.
        """),
    showPassword: "Afficher le mot de passe",
    passwordRules: PasswordRules(
      heading: "Le mot de passe doit comporter :",
      atLeast: "Au moins {count} caractères",
      atMost: "Au plus {count} caractères",
      lowercase: "Une lettre minuscule",
      uppercase: "Une lettre majuscule",
      digit: "Un chiffre",
      symbol: "Un caractère spécial comme ! ou ?",
      missing: "Il manque encore : {rules}",
      met: "Le mot de passe remplit les conditions.",
      refused: "Ce mot de passe ne remplit pas les conditions."),
    openInApp: "Ouvrir dans l’application",
    opensAddress: "L’adresse {url} s’ouvrira dans une application de cet appareil.",
    continueInBrowser: "Continuer dans le navigateur",
    unsafeAddress: "Le lien mènerait à {url}. Les adresses de ce type ne sont pas ouvertes.",
    codeUsed: Notice(
      title: "Ce lien a déjà été utilisé",
      message: """
        Un lien ne sert qu’une fois, et celui-ci a joué son rôle. Si vous ne l’avez pas \
        utilisé, demandez-en un nouveau dans l’application.
        """),
    emailTaken: Notice(
      title: "Cette adresse est déjà prise",
      message: "Un autre compte utilise cette adresse. Choisissez-en une autre dans l’application."),
    signIn: Notice(
      title: "Continuez dans l’application",
      message: """
        Vous avez demandé un lien de connexion sans mot de passe. L’application termine la \
        connexion.
        """))
}

extension ProviderWords {
  fileprivate static let french = ProviderWords(
    signIn: "Se connecter avec {provider}",
    notice: "Cette page remplace le fournisseur. Rien ne lui est envoyé.",
    accounts: "Comptes",
    newAccount: "Nouveau compte",
    addAccount: "Ajouter un compte",
    needsScript: "Cette page nécessite JavaScript, tout comme les SDK.",
    noAccounts: "Il n’existe pas encore de compte {provider}.",
    choose: "Choisissez un compte ou ajoutez-en un.",
    noName: "(sans nom)",
    generate: "Générer les informations",
    email: "Adresse e-mail",
    displayName: "Nom affiché (facultatif)",
    screenName: "Nom d’utilisateur (facultatif)",
    photo: "Adresse de la photo de profil (facultatif)",
    back: "Retour",
    invalidEmail: "Saisissez une adresse e-mail valide.",
    missingEmail: "L’adresse e-mail est obligatoire.",
    openerGone: "La page qui a ouvert celle-ci n’existe plus. Fermez cette page et réessayez.")
}

extension MailboxWords {
  fileprivate static let french = MailboxWords(
    title: "Boîte de réception de {project}",
    project: "Projet",
    show: "Afficher",
    reloads: "Cette page se recharge toutes les 3 secondes.",
    stop: "Arrêter",
    staysAsItIs: "Cette page ne se recharge pas toute seule.",
    reload: "Recharger toutes les 3 secondes",
    empty: """
      Aucun message pour l’instant. Demandez un nouveau mot de passe ou la vérification \
      d’une adresse e-mail : le message apparaîtra ici.
      """,
    count: "Messages, du plus récent au plus ancien : {count}",
    to: "À",
    from: "De",
    subject: "Objet",
    type: "Type",
    state: "État",
    time: "Heure",
    tenant: "Locataire",
    language: "Langue",
    sent: "Envoyé",
    expires: "Expire",
    used: "Utilisé",
    link: "Lien",
    openLink: "Ouvrir le lien",
    copyLink: "Copier le lien",
    code: "Code",
    copyCode: "Copier le code",
    copied: "Copié",
    message: "Message",
    plainText: "En texte brut",
    otherForms: "Aussi en {forms}.",
    missing: "Ce message n’existe pas",
    missingIn: "Le projet {project} n’a pas de message {id}.",
    pending: "en attente",
    isUsed: "utilisé",
    expired: "expiré",
    notSent: "non envoyé",
    noSubject: "(sans objet)",
    textMessage: "SMS")
}
