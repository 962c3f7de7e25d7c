extension Language {
  static let french = Language(
    tag: "fr",
    greeting: "Bonjour,",
    copyHint: "Si le bouton ne réagit pas, copiez cette adresse dans votre navigateur :",
    signature: "L’équipe \(.app)",
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
