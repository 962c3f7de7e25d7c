extension Language {
  static let simplifiedChinese = Language(
    tag: "zh-CN", mails: .simplifiedChinese, pages: .simplifiedChinese,
    provider: .simplifiedChinese, mailbox: .simplifiedChinese)
}

extension MailWords {
  fileprivate static let simplifiedChinese = MailWords(
    greeting: "您好！",
    namedGreeting: "\(.name)，您好！",
    copyHint: "如果按钮没有反应，请将以下网址复制到浏览器中打开：",
    signature: "\(.app) 团队",
    textMessage: "\(.app) 的验证码为 \(.code)。",
    passwordReset: Wording(
      subject: "重置您的 \(.app) 密码",
      message: "有人（应该是您本人）想为 \(.app) 帐号 \(.address) 设置新密码。请打开以下链接进行设置：",
      button: "设置新密码",
      disregard: "如果不是您本人操作，请忽略此邮件，您的密码不会改变。"),
    verifyEmail: Wording(
      subject: "验证您在 \(.app) 使用的邮箱",
      message: "请打开以下链接，确认 \(.address) 是您本人的邮箱，并且属于您的 \(.app) 帐号：",
      button: "确认我的邮箱",
      disregard: "如果您没有这样的帐号，请忽略此邮件。"),
    emailSignIn: Wording(
      subject: "登录 \(.app)",
      message: "通过以下链接，您无需密码即可以 \(.address) 的身份登录 \(.app)：",
      button: "登录 \(.app)",
      disregard: "如果您不想登录，请忽略此邮件。该链接只能使用一次。"),
    verifyAndChangeEmail: Wording(
      subject: "验证您在 \(.app) 使用的新邮箱",
      message: """
        您希望今后使用 \(.newAddress) 而不是 \(.address) 登录 \(.app)。请打开以下链接确认新邮箱：
        """,
      button: "确认我的新邮箱",
      disregard: "如果您没有提出此更改，请忽略此邮件，一切保持不变。"),
    recoverEmail: Wording(
      subject: "您的 \(.app) 登录邮箱已更改",
      message: """
        您登录 \(.app) 所用的邮箱已从 \(.address) 改为 \(.newAddress)。\
        如果不是您本人操作，请打开以下链接撤销更改：
        """,
      button: "恢复原来的邮箱",
      disregard: "如果是您本人更改的，则无需任何操作。"))
}

extension PageWords {
  fileprivate static let simplifiedChinese = PageWords(
    choosePassword: "设置新密码",
    choosePasswordAgain: "错误：设置新密码",
    email: "邮箱地址",
    newPassword: "新密码",
    savePassword: "保存密码",
    onward: "继续",
    failed: "操作失败",
    passwordChanged: Notice(
      title: "密码已更改",
      message: "您现在可以使用新密码以 {email} 的身份登录。"),
    emailVerified: Notice(
      title: "邮箱地址已验证",
      message: "{email} 已确认。您现在可以用它登录。"),
    emailChanged: Notice(
      title: "邮箱地址已更改",
      message: "{email} 已确认。今后请使用此地址登录。"),
    emailRestored: Notice(
      title: "邮箱地址已恢复",
      message: "您的帐号地址已恢复为 {email}。如果这次更改不是您要求的，可能有人知道您的密码：请立即重置。"),
    codeExpired: Notice(
      title: "此链接已过期",
      message: "该链接仅在限定时间内有效。请在应用中重新申请。"),
    codeInvalid: Notice(
      title: "此链接无效",
      message: "它已被使用、已被替换，或未完整复制。请在应用中重新申请。"),
    missingParameter: Notice(
      title: "此链接不完整",
      message: "参数 {name} 缺失或无法识别。请复制完整的链接。"),
    missingContinueURL: Notice(
      title: "此链接没有去向",
      message: "登录链接需要 {name}，以便返回应用。请在申请链接时通过操作代码设置指定它。"),
    showPassword: "显示密码",
    passwordRules: PasswordRules(
      heading: "密码要求：",
      atLeast: "至少 {count} 个字符",
      atMost: "最多 {count} 个字符",
      lowercase: "包含小写字母",
      uppercase: "包含大写字母",
      digit: "包含数字",
      symbol: "包含特殊字符，例如 ! 或 ?",
      missing: "尚未满足：{rules}",
      met: "密码符合要求。",
      refused: "此密码不符合要求。",
      separator: "、"),
    openInApp: "在应用中打开",
    opensAddress: "将在此设备的应用中打开地址 {url}。",
    continueInBrowser: "在浏览器中继续",
    unsafeAddress: "该链接将转到 {url}。此类地址不会被打开。",
    codeUsed: Notice(
      title: "此链接已被使用",
      message: "每个链接只能使用一次，此链接已完成操作。如果不是您本人使用的，请在应用中重新申请。"),
    emailTaken: Notice(
      title: "此邮箱已被使用",
      message: "另一个帐号正在使用此邮箱。请在应用中选择其他邮箱。"),
    signIn: Notice(
      title: "在应用中继续",
      message: "您申请了无需密码的登录链接。应用将完成登录。"))
}

extension ProviderWords {
  fileprivate static let simplifiedChinese = ProviderWords(
    signIn: "使用 {provider} 登录",
    notice: "此页面代替提供方，不会向其发送任何内容。",
    accounts: "账号",
    newAccount: "新账号",
    addAccount: "添加账号",
    needsScript: "此页面与 SDK 一样需要 JavaScript。",
    noAccounts: "还没有 {provider} 账号。",
    choose: "请选择一个账号，或添加新账号。",
    noName: "（无显示名）",
    generate: "自动生成用户信息",
    email: "电子邮件地址",
    displayName: "显示名（可选）",
    screenName: "用户名（可选）",
    photo: "头像网址（可选）",
    back: "返回",
    invalidEmail: "请输入有效的电子邮件地址。",
    missingEmail: "必须填写电子邮件地址。",
    openerGone: "打开此页面的页面已不存在。请关闭后重试。")
}

extension MailboxWords {
  fileprivate static let simplifiedChinese = MailboxWords(
    title: "{project} 的邮箱",
    project: "项目",
    show: "显示",
    reloads: "此页面每 3 秒刷新一次。",
    stop: "停止",
    staysAsItIs: "此页面不会自动刷新。",
    reload: "每 3 秒刷新一次",
    empty: "还没有邮件。请求重置密码或验证电子邮件地址后，邮件会显示在这里。",
    count: "邮件（最新的在前）：{count}",
    to: "收件人",
    from: "发件人",
    subject: "主题",
    type: "类型",
    state: "状态",
    time: "时间",
    tenant: "租户",
    language: "语言",
    sent: "发送时间",
    expires: "过期时间",
    used: "使用时间",
    link: "链接",
    openLink: "打开链接",
    copyLink: "复制链接",
    code: "代码",
    copyCode: "复制代码",
    copied: "已复制",
    message: "邮件",
    plainText: "纯文本",
    otherForms: "其他格式：{forms}",
    missing: "没有此邮件",
    missingIn: "项目 {project} 中没有邮件 {id}。",
    pending: "待使用",
    isUsed: "已使用",
    expired: "已过期",
    notSent: "未发送",
    noSubject: "（无主题）",
    textMessage: "短信")
}
