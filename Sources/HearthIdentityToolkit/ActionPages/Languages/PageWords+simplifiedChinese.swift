extension PageWords {
  static let simplifiedChinese = PageWords(
    tag: "zh-CN",
    choosePassword: "设置新密码",
    choosePasswordAgain: "错误：设置新密码",
    email: "邮箱地址",
    newPassword: "新密码",
    passwordLength: "至少 {count} 个字符。",
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
      message: "登录链接需要 continueUrl，以便返回应用。请在申请链接时通过操作代码设置指定它。"))
}
