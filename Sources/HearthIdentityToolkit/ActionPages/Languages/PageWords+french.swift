extension PageWords {
  static let french = PageWords(
    tag: "fr",
    choosePassword: "Choisissez un nouveau mot de passe",
    choosePasswordAgain: "Erreur : choisissez un nouveau mot de passe",
    email: "Adresse e-mail",
    newPassword: "Nouveau mot de passe",
    passwordLength: "Au moins {count} caractères.",
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
        Un lien de connexion nécessite une continueUrl, où l’application prend le relais. \
        Indiquez-la dans les paramètres du code d’action lorsque le lien est demandé.
        """))
}
