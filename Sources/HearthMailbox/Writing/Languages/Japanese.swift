extension Language {
  static let japanese = Language(
    tag: "ja",
    greeting: "お客様",
    copyHint: "ボタンが動作しない場合は、次のアドレスをブラウザに貼り付けてください。",
    signature: "\(.app) チーム",
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
