extension PageWords {
  static let japanese = PageWords(
    tag: "ja",
    choosePassword: "新しいパスワードの設定",
    choosePasswordAgain: "エラー: 新しいパスワードの設定",
    email: "メールアドレス",
    newPassword: "新しいパスワード",
    passwordLength: "{count} 文字以上で入力してください。",
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
      message: "ログイン用のリンクには、アプリに戻るための continueUrl が必要です。リンクをリクエストするときにアクションコードの設定で指定してください。"))
}
