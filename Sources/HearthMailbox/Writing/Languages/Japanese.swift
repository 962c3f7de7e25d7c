extension Language {
  static let japanese = Language(
    tag: "ja", mails: .japanese, pages: .japanese,
    provider: .japanese, mailbox: .japanese)
}

extension MailWords {
  fileprivate static let japanese = MailWords(
    greeting: "お客様",
    namedGreeting: "\(.name) 様",
    copyHint: "ボタンが動作しない場合は、次のアドレスをブラウザに貼り付けてください。",
    signature: "\(.app) チーム",
    textMessage: "\(.app) の確認コードは \(.code) です。",
    passwordReset: Wording(
      subject: "\(.app) のパスワードの再設定",
      message: """
        \(.app) のアカウント \(.address) について、新しいパスワードの設定が申し込まれました。\
        次のリンクを開いて、新しいパスワードを決めてください。
        """,
      button: "新しいパスワードを決める",
      disregard: "お心当たりがない場合は、このメールを無視してください。パスワードは変わりません。"),
    verifyEmail: Wording(
      subject: "\(.app) のメールアドレスの確認",
      message: """
        \(.address) がご本人のアドレスであり、\(.app) のアカウントのものであることを、\
        次のリンクを開いて確認してください。
        """,
      button: "アドレスを確認する",
      disregard: "お心当たりがない場合は、このメールを無視してください。"),
    emailSignIn: Wording(
      subject: "\(.app) へのログイン",
      message: "次のリンクから、パスワードなしで \(.address) として \(.app) にログインできます。",
      button: "\(.app) にログインする",
      disregard: "ログインしない場合は、このメールを無視してください。リンクは一度だけ有効です。"),
    verifyAndChangeEmail: Wording(
      subject: "\(.app) の新しいメールアドレスの確認",
      message: """
        \(.app) へのログインに使うアドレスを \(.address) から \(.newAddress) に変える申し込みが\
        ありました。次のリンクを開いて、新しいアドレスを確認してください。
        """,
      button: "新しいアドレスを確認する",
      disregard: "お心当たりがない場合は、このメールを無視してください。何も変わりません。"),
    recoverEmail: Wording(
      subject: "\(.app) のログイン用メールアドレスが変更されました",
      message: """
        \(.app) へのログインに使うアドレスが \(.address) から \(.newAddress) に変わりました。\
        お心当たりがない場合は、次のリンクを開いて元に戻してください。
        """,
      button: "元のアドレスに戻す",
      disregard: "ご自身で変更した場合は、何もする必要はありません。"))
}

extension PageWords {
  fileprivate static let japanese = PageWords(
    choosePassword: "新しいパスワードの設定",
    choosePasswordAgain: "エラー: 新しいパスワードの設定",
    email: "メールアドレス",
    newPassword: "新しいパスワード",
    savePassword: "パスワードを保存",
    onward: "続ける",
    failed: "処理に失敗しました",
    passwordChanged: Notice(
      title: "パスワードを変更しました",
      message: "新しいパスワードを使って {email} としてログインできます。"),
    emailVerified: Notice(
      title: "メールアドレスを確認しました",
      message: "{email} を確認しました。このアドレスでログインできます。"),
    emailChanged: Notice(
      title: "メールアドレスを変更しました",
      message: "{email} を確認しました。今後はこのアドレスでログインしてください。"),
    emailRestored: Notice(
      title: "メールアドレスを元に戻しました",
      message: "アカウントのメールアドレスは {email} に戻りました。変更に心当たりがない場合は、パスワードが知られている可能性があります。今すぐ再設定してください。"),
    codeExpired: Notice(
      title: "リンクの有効期限が切れています",
      message: "このリンクには有効期限があります。アプリで新しいリンクをリクエストしてください。"),
    codeInvalid: Notice(
      title: "このリンクは使えません",
      message: "すでに使用されたか、新しいリンクに置き換えられたか、全体がコピーされていません。アプリで新しいリンクをリクエストしてください。"),
    missingParameter: Notice(
      title: "リンクが不完全です",
      message: "パラメータ {name} がないか、正しくありません。リンク全体をコピーしてください。"),
    missingContinueURL: Notice(
      title: "リンク先がありません",
      message: "ログイン用のリンクには、アプリに戻るための {name} が必要です。リンクをリクエストするときにアクションコードの設定で指定してください。"),
    showPassword: "パスワードを表示",
    passwordRules: PasswordRules(
      heading: "パスワードの条件:",
      atLeast: "{count} 文字以上",
      atMost: "{count} 文字以下",
      lowercase: "英小文字を含む",
      uppercase: "英大文字を含む",
      digit: "数字を含む",
      symbol: "記号（! や ? など）を含む",
      missing: "まだ満たしていない条件: {rules}",
      met: "パスワードは条件を満たしています。",
      refused: "このパスワードは条件を満たしていません。",
      separator: "、"),
    openInApp: "アプリで開く",
    opensAddress: "この端末のアプリで {url} を開きます。",
    continueInBrowser: "ブラウザで続ける",
    unsafeAddress: "リンク先は {url} ですが、この種類のアドレスは開きません。",
    codeUsed: Notice(
      title: "このリンクは使用済みです",
      message: "リンクは一度だけ有効で、このリンクの処理は完了しています。ご自身で使った覚えがない場合は、アプリで新しいリンクをリクエストしてください。"),
    emailTaken: Notice(
      title: "このアドレスは使用されています",
      message: "別のアカウントがこのアドレスを使用しています。アプリで別のアドレスを選んでください。"),
    signIn: Notice(
      title: "アプリで続ける",
      message: "パスワードなしでログインするためのリンクがリクエストされました。アプリでログインが完了します。"))
}

extension ProviderWords {
  fileprivate static let japanese = ProviderWords(
    signIn: "{provider} でログイン",
    notice: "このページはプロバイダの代わりです。プロバイダには何も送信されません。",
    accounts: "アカウント",
    newAccount: "新しいアカウント",
    addAccount: "アカウントを追加",
    needsScript: "このページには SDK と同じく JavaScript が必要です。",
    noAccounts: "{provider} のアカウントはまだありません。",
    choose: "アカウントを選択するか、新しく追加してください。",
    noName: "（表示名なし）",
    generate: "情報を自動生成",
    email: "メールアドレス",
    displayName: "表示名（任意）",
    screenName: "ユーザー名（任意）",
    photo: "プロフィール写真の URL（任意）",
    back: "戻る",
    invalidEmail: "有効なメールアドレスを入力してください。",
    missingEmail: "メールアドレスは必須です。",
    openerGone: "このページを開いたページが見つかりません。閉じてからもう一度お試しください。")
}

extension MailboxWords {
  fileprivate static let japanese = MailboxWords(
    title: "{project} のメールボックス",
    project: "プロジェクト",
    show: "表示",
    reloads: "このページは 3 秒ごとに再読み込みされます。",
    stop: "停止",
    staysAsItIs: "このページは自動では再読み込みされません。",
    reload: "3 秒ごとに再読み込み",
    empty: "メッセージはまだありません。パスワードの再設定やメールアドレスの確認をリクエストすると、ここに表示されます。",
    count: "メッセージ（新しい順）: {count}",
    to: "宛先",
    from: "差出人",
    subject: "件名",
    type: "種類",
    state: "状態",
    time: "時刻",
    tenant: "テナント",
    language: "言語",
    sent: "送信",
    expires: "有効期限",
    used: "使用",
    link: "リンク",
    openLink: "リンクを開く",
    copyLink: "リンクをコピー",
    code: "コード",
    copyCode: "コードをコピー",
    copied: "コピーしました",
    message: "メッセージ",
    plainText: "テキスト形式",
    otherForms: "他の形式: {forms}",
    missing: "メッセージが見つかりません",
    missingIn: "プロジェクト {project} にメッセージ {id} はありません。",
    pending: "未使用",
    isUsed: "使用済み",
    expired: "期限切れ",
    notSent: "未送信",
    noSubject: "（件名なし）",
    textMessage: "SMS")
}
