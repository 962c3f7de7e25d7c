extension PageWords {
  static let spanish = PageWords(
    tag: "es",
    choosePassword: "Elige una nueva contraseña",
    choosePasswordAgain: "Error: elige una nueva contraseña",
    email: "Correo electrónico",
    newPassword: "Nueva contraseña",
    passwordLength: "Al menos {count} caracteres.",
    savePassword: "Guardar la contraseña",
    onward: "Continuar",
    failed: "No se ha podido completar",
    passwordChanged: Notice(
      title: "Contraseña cambiada",
      message: "Ya puedes iniciar sesión como {email} con tu nueva contraseña."),
    emailVerified: Notice(
      title: "Correo verificado",
      message: "{email} está confirmado. Ya puedes iniciar sesión con él."),
    emailChanged: Notice(
      title: "Correo cambiado",
      message: "{email} está confirmado. A partir de ahora, inicia sesión con esta dirección."),
    emailRestored: Notice(
      title: "Correo restaurado",
      message: """
        {email} vuelve a ser la dirección de tu cuenta. Si no pediste el cambio, puede que \
        alguien conozca tu contraseña: restablécela ahora.
        """),
    codeExpired: Notice(
      title: "Este enlace ha caducado",
      message: "El enlace era válido por un tiempo limitado. Pide uno nuevo en la aplicación."),
    codeInvalid: Notice(
      title: "Este enlace no funciona",
      message: """
        Ya se ha usado, se ha sustituido o no se ha copiado entero. Pide uno nuevo en la \
        aplicación.
        """),
    missingParameter: Notice(
      title: "Este enlace está incompleto",
      message: "Su parámetro {name} falta o no se entiende. Copia el enlace entero."),
    missingContinueURL: Notice(
      title: "Este enlace no lleva a ninguna parte",
      message: """
        Un enlace de inicio de sesión necesita una continueUrl, donde la aplicación toma el \
        relevo. Indícala en los ajustes del código de acción al pedir el enlace.
        """))
}
