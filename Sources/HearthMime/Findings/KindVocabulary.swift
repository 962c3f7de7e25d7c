/// Words of subjects and buttons that say what a mail is for.
enum KindVocabulary {
  static let reset = Vocabulary(
    words: """
      reset, reset password, resetpassword, password reset, new password, forgot password, \
      forgot your password, forgotten password, change my password, change your password, \
      recover, recovery, account recovery, set a password, set your password, choose a new password, \
      passwort zurücksetzen, zurücksetzen, zurücksetzung, neues passwort, passwort vergessen, \
      kennwort zurücksetzen, réinitialiser, réinitialisation, réinitialisez, mot de passe oublié, \
      nouveau mot de passe, restablecer, restablece, restablecimiento, nueva contraseña, \
      recuperar, recuperación, olvidaste tu contraseña, redefinir, redefinição, redefina, \
      recuperação, nova senha, esqueceu sua senha, reimposta, reimpostare, reimpostazione, \
      reimpostazione della, recupera, recupero, nuova password, wachtwoord herstellen, \
      wachtwoord opnieuw, wachtwoord vergeten, wachtwoord resetten, nieuw wachtwoord, resetowanie, \
      zresetuj, resetuj, reset hasła, nowe hasło, zmiana hasła, sıfırla, sıfırlama, şifre sıfırlama, \
      сброс, сбросить, сброса, восстановление, восстановить, новый пароль, скидання, скинути, \
      відновлення, återställ, återställning, nytt lösenord, nulstil, nulstilling, tilbakestill, \
      tilbakestilling, nollaa, palauta, salasanan, vaihda salasana, obnovení, obnovit, \
      nové heslo, visszaállítás, visszaállítása, új jelszó, resetare, resetarea, resetează, \
      επαναφορά, επαναφοράς, إعادة تعيين, إعادة ضبط, استعادة, איפוס, לאפס, रीसेट, đặt lại, \
      atur ulang, setel ulang
      """,
    beginnings: """
      sıfırla, şifre sıfırla, réinitialis, restablec, redefin, reimpost, zurückset, сброс, восстанов, \
      återställ, tilbakestill, nulstil, zreset, visszaáll
      """,
    anywhere: "再設定, リセット, 再設定する, 重置, 重設, 重设, 找回, 재설정, 초기화, รีเซ็ต, ตั้งรหัสผ่าน")

  static let verify = Vocabulary(
    words: """
      verify your email, verify your e-mail, verify email, verify e-mail, verify your address, \
      verify your account, verify your new, verify account, verify my email, verify this email, \
      verify mail, confirm your email, confirm your e-mail, confirm your account, confirm account, \
      confirm your signup, confirm your sign-up, confirm sign up, confirm your registration, \
      confirm your new, confirm your address, confirm email, confirm e-mail, confirm my email, \
      confirm my account, confirm your mail, confirm mail, confirm registration, confirm your, \
      confirm my, confirm signup, email confirmation, \
      email verification, e-mail verification, email address verification, activate, activation, \
      activate your account, account activation, confirmation instructions, validate your email, \
      finish signing up, complete your registration, verifyemail, \
      bestätigen sie ihre, bestätige deine, bestätigen, bestätige, e-mail-bestätigung, aktivieren, \
      aktiviere, aktivierung, konto aktivieren, verifizieren, verifiziere, \
      confirmez votre, confirmer votre, confirmer mon, confirmez, activez, activer, vérifiez votre, \
      vérifier votre, confirma tu, confirme su, confirmar tu, verifica tu, verifique su, \
      activa tu, active su, verifica la tua, \
      confirme seu, confirme sua, confirmar seu, confirmar e-mail, ative sua, verifique seu, \
      conferma il, conferma la, conferma il tuo, conferma, attiva, verifica il tuo, \
      verifica la, bevestig je, bevestig uw, bevestig, activeer, verifieer, potwierdź, \
      aktywuj, potwierdzenie, zweryfikuj, doğrulayın, onaylayın, e-postanı doğrula, \
      e-posta adresinizi, etkinleştirin, e-postanızı doğrulayın, подтвердите, подтвердить, \
      подтверждение, активация, активируйте, підтвердьте, підтвердження, bekräfta, verifiera, \
      aktivera, bekræft, bekreft, aktiver, vahvista, vahvistus, potvrďte, potvrdit, ověřte, \
      aktivace, megerősítés, erősítsd meg, megerősítése, confirmă, confirmați, activează, \
      verificați, επιβεβαίωση, επιβεβαιώστε, ενεργοποίηση, تأكيد, أكد, تفعيل, تحقق من بريدك, \
      تأكيد بريدك, אימות כתובת, אשר, אישור, सत्यापित करें, पुष्टि करें, xác nhận, xác minh email, \
      xác minh, kích hoạt, konfirmasi, verifikasi email, aktivasi, aktifkan
      """,
    anywhere: """
      メールアドレスの確認, アドレスの確認, メールアドレスを確認, アカウントの確認, 本登録, 仮登録, 登録確認, 登録の確認, 有効化, 验证邮箱, 验证您的, \
      验证你的, 邮箱验证, 驗證您的, 驗證電子, 确认您的, 確認您的, 激活, 啟用帳, 이메일 인증, 이메일 주소 확인, 이메일 확인, 계정 인증, 가입 인증, \
      메일 인증, 계정 활성화, ยืนยันอีเมล, ยืนยันบัญชี
      """)

  /// What buttons say by themselves. In other text they may be about anything.
  static let verifyButtons = Vocabulary(
    words: """
      verify, confirm, validate, vérifier, vérifiez, confirmer, valider, validez, confirmar, confirma, \
      confirme, verificar, verifica, verifique, confermare, verificare, verifiëren, weryfikuj, doğrula
      """)

  static let magic = Vocabulary(
    words: """
      magic, magic link, sign in, sign-in, signin, sign into, log in, log-in, login, log into, \
      join, invitation, invited, einladung, anmelden, anmeldung, anmeldelink, einloggen, connexion, \
      se connecter, connectez-vous, lien magique, lien de connexion, iniciar sesión, inicia sesión, \
      inicio de sesión, enlace de acceso, enlace mágico, acceso, acceder, entrar, fazer login, \
      link de acesso, link mágico, accedi, accesso, link di accesso, inloggen, inloglink, aanmelden, \
      zaloguj, zaloguj się, logowanie, logowania, giriş, oturum aç, giriş bağlantısı, войти, вход, \
      входа, увійти, вхід, logga in, inloggning, inloggningslänk, log ind, logg inn, kirjaudu, \
      kirjautuminen, přihlášení, přihlásit, bejelentkezés, bejelentkezési, conectare, autentificare, \
      σύνδεση, σύνδεσης, تسجيل الدخول, دخول, התחברות, כניסה, लॉग इन, लॉगिन, đăng nhập, masuk
      """,
    anywhere: "ログイン, サインイン, 登录, 登錄, 登入, 로그인, เข้าสู่ระบบ")

  static let otp = CodeVocabulary.keywords

  /// Subjects of mails after the fact: "Your password was changed".
  static let report = Vocabulary(
    words: """
      was changed, has been changed, was reset, has been reset, was updated, has been updated, \
      was verified, has been verified, is verified, is now verified, was confirmed, \
      has been confirmed, is confirmed, was activated, has been activated, successfully changed, \
      successfully reset, successfully verified, you changed your, password changed, \
      password updated, email changed, new sign-in, new login, new device, new sign in, \
      wurde geändert, wurde zurückgesetzt, wurde bestätigt, wurde erfolgreich, erfolgreich geändert, \
      wurde aktualisiert, neue anmeldung, a été modifié, a été modifiée, a été changé, \
      a été réinitialisé, a été confirmée, a bien été modifié, a bien été, nouvelle connexion, \
      ha sido cambiada, ha sido restablecida, se ha cambiado, se ha restablecido, ha cambiado, \
      fue cambiada, foi alterada, foi redefinida, foi alterado, è stata modificata, \
      è stata cambiata, è stata reimpostata, is gewijzigd, is veranderd, zostało zmienione, \
      został zmieniony, değiştirildi, был изменён, был изменен, изменён, изменен, успешно изменён, \
      успешно изменен, было изменено, змінено, har ändrats, er blevet ændret, er endret, \
      on vaihdettu, bylo změněno, megváltozott, تم تغيير, שונתה, đã được thay đổi
      """,
    anywhere:
      "変更されました, 変更しました, 完了しました, 变更成功, 已更改, 已修改, 修改成功, 重置成功, 변경되었습니다, 변경됐습니다, 완료되었습니다, 新しいログイン")
}
