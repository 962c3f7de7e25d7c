extension Language {
  static let brazilianPortuguese = Language(
    tag: "pt-BR",
    greeting: "Olá,",
    copyHint: "Se o botão não funcionar, copie este endereço no navegador:",
    signature: "Equipe do \(.app)",
    passwordReset: Wording(
      subject: "Redefina sua senha do \(.app)",
      message: """
        Alguém, provavelmente você, quer uma nova senha para a conta \(.address) do \(.app). \
        Abra este link para escolhê-la:
        """,
      button: "Escolher uma nova senha",
      disregard: "Se não foi você, ignore este e-mail; sua senha continua a mesma."),
    verifyEmail: Wording(
      subject: "Confirme seu e-mail para o \(.app)",
      message: """
        Confirme que \(.address) é o seu endereço e o da sua conta do \(.app) abrindo este link:
        """,
      button: "Confirmar meu endereço",
      disregard: "Se você não tem uma conta assim, ignore este e-mail."),
    emailSignIn: Wording(
      subject: "Faça login no \(.app)",
      message: "Com este link você entra no \(.app) como \(.address), sem senha:",
      button: "Entrar no \(.app)",
      disregard: "Se você não quer entrar, ignore este e-mail; o link só funciona uma vez."),
    verifyAndChangeEmail: Wording(
      subject: "Confirme seu novo e-mail para o \(.app)",
      message: """
        De agora em diante você quer entrar no \(.app) com \(.newAddress) em vez de \(.address). \
        Abra este link para confirmar o novo endereço:
        """,
      button: "Confirmar meu novo endereço",
      disregard: "Se você não pediu esta mudança, ignore este e-mail; nada será alterado."),
    recoverEmail: Wording(
      subject: "Seu e-mail de login do \(.app) foi alterado",
      message: """
        O endereço com que você entra no \(.app) mudou de \(.address) para \(.newAddress). \
        Se não foi você, abra este link para desfazer a mudança:
        """,
      button: "Recuperar meu endereço",
      disregard: "Se foi você quem fez a mudança, não é preciso fazer nada."))
}
