extension Language {
  static let brazilianPortuguese = Language(
    tag: "pt-BR", mails: .brazilianPortuguese, pages: .brazilianPortuguese,
    provider: .brazilianPortuguese, mailbox: .brazilianPortuguese)
}

extension MailWords {
  fileprivate static let brazilianPortuguese = MailWords(
    greeting: "Olá,",
    namedGreeting: "Olá, \(.name),",
    copyHint: "Se o botão não funcionar, copie este endereço no navegador:",
    signature: "Equipe do \(.app)",
    textMessage: "\(.code) é seu código de verificação para \(.app).",
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

extension PageWords {
  fileprivate static let brazilianPortuguese = PageWords(
    choosePassword: "Escolha uma nova senha",
    choosePasswordAgain: "Erro: escolha uma nova senha",
    email: "Endereço de e-mail",
    newPassword: "Nova senha",
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
        Um link de login precisa de um {name}, onde o aplicativo assume. Informe-o nas \
        configurações do código de ação ao pedir o link.
        """),
    showPassword: "Mostrar a senha",
    passwordRules: PasswordRules(
      heading: "A senha precisa de:",
      atLeast: "Pelo menos {count} caracteres",
      atMost: "No máximo {count} caracteres",
      lowercase: "Uma letra minúscula",
      uppercase: "Uma letra maiúscula",
      digit: "Um número",
      symbol: "Um caractere especial como ! ou ?",
      missing: "Ainda falta: {rules}",
      met: "A senha atende aos requisitos.",
      refused: "Esta senha não atende aos requisitos."),
    openInApp: "Abrir no aplicativo",
    opensAddress: "Isto abre o endereço {url} em um aplicativo deste dispositivo.",
    continueInBrowser: "Continuar no navegador",
    unsafeAddress: "O link levaria a {url}. Endereços desse tipo não são abertos.",
    codeUsed: Notice(
      title: "Este link já foi usado",
      message: """
        Um link só funciona uma vez, e este já cumpriu sua função. Se não foi você quem o \
        usou, peça um novo no aplicativo.
        """),
    emailTaken: Notice(
      title: "Este endereço já está em uso",
      message: "Outra conta usa este endereço. Escolha um diferente no aplicativo."),
    signIn: Notice(
      title: "Continue no aplicativo",
      message: "Você pediu um link para fazer login sem senha. O aplicativo conclui o login."))
}

extension ProviderWords {
  fileprivate static let brazilianPortuguese = ProviderWords(
    signIn: "Fazer login com {provider}",
    notice: "Esta página substitui o provedor. Nada é enviado a ele.",
    accounts: "Contas",
    newAccount: "Nova conta",
    addAccount: "Adicionar conta",
    needsScript: "Esta página precisa de JavaScript, assim como os SDKs.",
    noAccounts: "Ainda não há contas de {provider}.",
    choose: "Escolha uma conta ou adicione uma nova.",
    noName: "(sem nome)",
    generate: "Gerar os dados",
    email: "E-mail",
    displayName: "Nome de exibição (opcional)",
    screenName: "Nome de usuário (opcional)",
    photo: "URL da foto do perfil (opcional)",
    back: "Voltar",
    invalidEmail: "Digite um endereço de e-mail válido.",
    missingEmail: "O e-mail é obrigatório.",
    openerGone: "A página que abriu esta não existe mais. Feche-a e tente de novo.")
}

extension MailboxWords {
  fileprivate static let brazilianPortuguese = MailboxWords(
    title: "Caixa de entrada de {project}",
    project: "Projeto",
    show: "Mostrar",
    reloads: "Esta página é recarregada a cada 3 segundos.",
    stop: "Parar",
    staysAsItIs: "Esta página não é recarregada sozinha.",
    reload: "Recarregar a cada 3 segundos",
    empty: """
      Ainda não há mensagens. Peça uma nova senha ou a verificação de um e-mail, e a \
      mensagem aparecerá aqui.
      """,
    count: "Mensagens, as mais recentes primeiro: {count}",
    to: "Para",
    from: "De",
    subject: "Assunto",
    type: "Tipo",
    state: "Estado",
    time: "Hora",
    tenant: "Locatário",
    language: "Idioma",
    sent: "Enviada",
    expires: "Expira",
    used: "Usada",
    link: "Link",
    openLink: "Abrir o link",
    copyLink: "Copiar o link",
    code: "Código",
    copyCode: "Copiar o código",
    copied: "Copiado",
    message: "Mensagem",
    plainText: "Como texto simples",
    otherForms: "Também como {forms}.",
    missing: "A mensagem não existe",
    missingIn: "O projeto {project} não tem a mensagem {id}.",
    pending: "pendente",
    isUsed: "usado",
    expired: "expirado",
    notSent: "não enviado",
    noSubject: "(sem assunto)",
    textMessage: "SMS")
}
