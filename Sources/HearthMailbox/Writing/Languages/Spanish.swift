extension Language {
  static let spanish = Language(
    tag: "es", mails: .spanish, pages: .spanish,
    provider: .spanish, mailbox: .spanish)
}

extension MailWords {
  fileprivate static let spanish = MailWords(
    greeting: "Hola:",
    namedGreeting: "Hola, \(.name):",
    copyHint: "Si el botón no funciona, copia esta dirección en el navegador:",
    signature: "El equipo de \(.app)",
    textMessage: "\(.code) es tu código de verificación para \(.app).",
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

extension PageWords {
  fileprivate static let spanish = PageWords(
    choosePassword: "Elige una nueva contraseña",
    choosePasswordAgain: "Error: elige una nueva contraseña",
    email: "Correo electrónico",
    newPassword: "Nueva contraseña",
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
        Un enlace de inicio de sesión necesita una {name}, donde la aplicación toma el \
        relevo. Indícala en los ajustes del código de acción al pedir el enlace.
        """),
    showPassword: "Mostrar la contraseña",
    passwordRules: PasswordRules(
      heading: "La contraseña necesita:",
      atLeast: "Al menos {count} caracteres",
      atMost: "Como máximo {count} caracteres",
      lowercase: "Una letra minúscula",
      uppercase: "Una letra mayúscula",
      digit: "Un número",
      symbol: "Un carácter especial como ! o ?",
      missing: "Todavía falta: {rules}",
      met: "La contraseña cumple los requisitos.",
      refused: "Esta contraseña no cumple los requisitos."),
    openInApp: "Abrir en la aplicación",
    opensAddress: "Esto abre la dirección {url} en una aplicación de este dispositivo.",
    continueInBrowser: "Continuar en el navegador",
    unsafeAddress: "El enlace llevaría a {url}. Las direcciones de este tipo no se abren.",
    codeUsed: Notice(
      title: "Este enlace ya se ha usado",
      message: """
        Un enlace solo sirve una vez, y este ya ha cumplido su función. Si no lo has usado \
        tú, pide uno nuevo en la aplicación.
        """),
    emailTaken: Notice(
      title: "Esta dirección ya está en uso",
      message: "Otra cuenta usa esta dirección. Elige otra en la aplicación."),
    signIn: Notice(
      title: "Continúa en la aplicación",
      message: """
        Has pedido un enlace para iniciar sesión sin contraseña. La aplicación completa el \
        inicio de sesión.
        """))
}

extension ProviderWords {
  fileprivate static let spanish = ProviderWords(
    signIn: "Iniciar sesión con {provider}",
    notice: "Esta página ocupa el lugar del proveedor. No se le envía nada.",
    accounts: "Cuentas",
    newAccount: "Cuenta nueva",
    addAccount: "Añadir una cuenta",
    needsScript: "Esta página necesita JavaScript, igual que los SDK.",
    noAccounts: "Todavía no hay cuentas de {provider}.",
    choose: "Elige una cuenta o añade una nueva.",
    noName: "(sin nombre)",
    generate: "Generar los datos",
    email: "Correo electrónico",
    displayName: "Nombre visible (opcional)",
    screenName: "Nombre de usuario (opcional)",
    photo: "URL de la foto de perfil (opcional)",
    back: "Atrás",
    invalidEmail: "Escribe una dirección de correo válida.",
    missingEmail: "El correo electrónico es obligatorio.",
    openerGone: "La página que abrió esta ya no existe. Ciérrala y vuelve a intentarlo.")
}

extension MailboxWords {
  fileprivate static let spanish = MailboxWords(
    title: "Buzón de {project}",
    project: "Proyecto",
    show: "Mostrar",
    reloads: "Esta página se recarga cada 3 segundos.",
    stop: "Parar",
    staysAsItIs: "Esta página no se recarga sola.",
    reload: "Recargar cada 3 segundos",
    empty: """
      Aún no hay mensajes. Pide una contraseña nueva o la verificación de un correo, y el \
      mensaje aparecerá aquí.
      """,
    count: "Mensajes, primero los más recientes: {count}",
    to: "Para",
    from: "De",
    subject: "Asunto",
    type: "Tipo",
    state: "Estado",
    time: "Hora",
    tenant: "Inquilino",
    language: "Idioma",
    sent: "Enviado",
    expires: "Caduca",
    used: "Usado",
    link: "Enlace",
    openLink: "Abrir el enlace",
    copyLink: "Copiar el enlace",
    code: "Código",
    copyCode: "Copiar el código",
    copied: "Copiado",
    message: "Mensaje",
    plainText: "Como texto sin formato",
    otherForms: "También como {forms}.",
    missing: "El mensaje no existe",
    missingIn: "El proyecto {project} no tiene ningún mensaje {id}.",
    pending: "pendiente",
    isUsed: "usado",
    expired: "caducado",
    notSent: "no enviado",
    noSubject: "(sin asunto)",
    textMessage: "SMS")
}
