extension Language {
  static let spanish = Language(
    tag: "es",
    greeting: "Hola:",
    copyHint: "Si el botón no funciona, copia esta dirección en el navegador:",
    signature: "El equipo de \(.app)",
    passwordReset: Wording(
      subject: "Restablece tu contraseña de \(.app)",
      message: """
        Alguien, seguramente tú, quiere una contraseña nueva para la cuenta \(.address) de \
        \(.app). Abre este enlace para elegirla:
        """,
      button: "Elegir una contraseña nueva",
      disregard: "Si no has sido tú, ignora este correo; tu contraseña seguirá siendo la misma."),
    verifyEmail: Wording(
      subject: "Verifica tu correo electrónico para \(.app)",
      message: """
        Confirma que \(.address) es tu dirección y la de tu cuenta de \(.app) abriendo este \
        enlace:
        """,
      button: "Confirmar mi dirección",
      disregard: "Si no tienes una cuenta así, ignora este correo."),
    emailSignIn: Wording(
      subject: "Inicia sesión en \(.app)",
      message: "Con este enlace inicias sesión en \(.app) como \(.address), sin contraseña:",
      button: "Iniciar sesión en \(.app)",
      disregard: """
        Si no quieres iniciar sesión, ignora este correo; el enlace solo sirve una vez.
        """),
    verifyAndChangeEmail: Wording(
      subject: "Verifica tu nuevo correo electrónico para \(.app)",
      message: """
        A partir de ahora quieres iniciar sesión en \(.app) con \(.newAddress) en lugar de \
        \(.address). Abre este enlace para confirmar la dirección nueva:
        """,
      button: "Confirmar mi dirección nueva",
      disregard: "Si no has pedido este cambio, ignora este correo; no cambiará nada."),
    recoverEmail: Wording(
      subject: "Se ha cambiado tu correo de acceso a \(.app)",
      message: """
        La dirección con la que inicias sesión en \(.app) ha pasado de \(.address) a \
        \(.newAddress). Si no has sido tú, abre este enlace para deshacer el cambio:
        """,
      button: "Recuperar mi dirección",
      disregard: "Si has hecho el cambio tú, no tienes que hacer nada."))
}
