extension Language {
  static let simplifiedChinese = Language(
    tag: "zh-CN",
    greeting: "您好！",
    copyHint: "如果按钮没有反应，请将以下网址复制到浏览器中打开：",
    signature: "\(.app) 团队",
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
