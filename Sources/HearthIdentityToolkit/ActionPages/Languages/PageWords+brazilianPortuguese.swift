extension PageWords {
  static let brazilianPortuguese = PageWords(
    tag: "pt-BR",
    choosePassword: "Escolha uma nova senha",
    choosePasswordAgain: "Erro: escolha uma nova senha",
    email: "Endereço de e-mail",
    newPassword: "Nova senha",
    passwordLength: "Pelo menos {count} caracteres.",
    savePassword: "Salvar a senha",
    onward: "Continuar",
    failed: "Não deu certo",
    passwordChanged: Notice(
      title: "Senha alterada",
      message: "Agora você pode fazer login como {email} com a nova senha."),
    emailVerified: Notice(
      title: "E-mail verificado",
      message: "{email} está confirmado. Agora você pode usá-lo para fazer login."),
    emailChanged: Notice(
      title: "E-mail alterado",
      message: "{email} está confirmado. De agora em diante, faça login com este endereço."),
    emailRestored: Notice(
      title: "E-mail restaurado",
      message: """
        {email} voltou a ser o endereço da sua conta. Se você não pediu a alteração, alguém pode \
        saber sua senha: redefina-a agora.
        """),
    codeExpired: Notice(
      title: "Este link expirou",
      message: "O link era válido por tempo limitado. Peça um novo no aplicativo."),
    codeInvalid: Notice(
      title: "Este link não funciona",
      message: """
        Ele já foi usado, foi substituído ou não foi copiado por inteiro. Peça um novo no \
        aplicativo.
        """),
    missingParameter: Notice(
      title: "Este link está incompleto",
      message: "O parâmetro {name} está faltando ou não foi entendido. Copie o link inteiro."),
    missingContinueURL: Notice(
      title: "Este link não leva a lugar nenhum",
      message: """
        Um link de login precisa de um continueUrl, onde o aplicativo assume. Informe-o nas \
        configurações do código de ação ao pedir o link.
        """))
}
