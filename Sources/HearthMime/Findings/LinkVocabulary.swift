/// Words that say whether a link is the one that a mail is about.
enum LinkVocabulary {
  /// What a person is asked to do.
  static let positives = Vocabulary(
    words: """
      reset, new password, choose a new, change my password, change password, set a password, \
      set your password, set password, create a password, create password, verify, verification, \
      confirm, confirmation, activate, activation, sign in, sign into, signin, log in, log into, \
      login, magic, magic link, sign-in, accept invitation, accept invite, accept the invitation, \
      join, unlock, recover, finish signing up, complete your registration, complete registration, \
      complete signup, validate, approve, authorize, connect, this link, link below, following link, \
      passwort, neues passwort, kennwort, zurücksetzen, bestätigen, bestätigung, bestätige, \
      verifizieren, aktivieren, aktiviere, anmelden, einloggen, einladung annehmen, freischalten, \
      réinitialiser, réinitialisation, mot de passe, confirmer, confirmez, confirmation, vérifier, \
      vérifiez, activer, activez, se connecter, me connecter, connectez-vous, connexion, valider, \
      restablecer, restablece, contraseña, verificar, verifica, confirmar, confirma, activar, \
      activa, iniciar sesión, inicia sesión, acceder, entrar, redefinir, redefina, redefinição, \
      senha, confirme, verifique, ativar, ative, fazer login, palavra-passe, \
      reimposta, reimpostare, reimpostazione, password, conferma, confermare, verifica, attiva, \
      attivare, accedi, accedere, wachtwoord, herstellen, bevestig, bevestigen, bevestiging, \
      inloggen, aanmelden, activeren, zresetuj, resetuj, hasło, hasła, potwierdź, zweryfikuj, \
      aktywuj, zaloguj, zaloguj się, şifre, şifreni, şifrenizi, şifremi, parola, sıfırla, doğrula, \
      onayla, etkinleştir, giriş yap, сбросить, сброс, подтвердить, подтвердите, активировать, \
      войти, восстановить, пароль, скинути, підтвердити, підтвердьте, увійти, \
      återställ, lösenord, bekräfta, verifiera, aktivera, logga in, nulstil, adgangskode, bekræft, \
      aktiver, log ind, tilbakestill, passord, bekreft, logg inn, palauta, vaihda salasana, \
      salasana, vahvista, kirjaudu, obnovit, heslo, hesla, ověřit, potvrdit, přihlásit, \
      visszaállítás, jelszó, megerősítés, megerősítem, bejelentkezés, resetare, resetează, parolă, \
      confirmă, verifică, conectare, επαναφορά, επιβεβαίωση, σύνδεση, κωδικό πρόσβασης, \
      إعادة تعيين, تأكيد, تفعيل, تسجيل الدخول, كلمة المرور, איפוס, אימות, אישור, התחברות, סיסמה, \
      रीसेट, पुष्टि, सत्यापित, लॉग इन, đặt lại, xác nhận, xác minh, đăng nhập, kích hoạt, \
      atur ulang, konfirmasi, verifikasi, aktifkan, masuk
      """,
    anywhere: """
      パスワード, 再設定, リセット, 確認, 認証, ログイン, サインイン, 有効化, 登録を完了, 重置, 重設, 重设, 验证, 驗證, 确认, 確認, 激活, \
      啟用, 登录, 登錄, 登入, 密码, 密碼, 재설정, 인증, 확인, 로그인, 활성화, 비밀번호, รีเซ็ต, ยืนยัน, เข้าสู่ระบบ
      """)

  /// Links that are in every mail, and those that take something back.
  static let negatives = Vocabulary(
    words: """
      unsubscribe, preferences, notification settings, email settings, privacy, privacy policy, \
      terms, terms of service, terms of use, legal, imprint, wasn't me, this wasn't me, wasn't you, \
      was not me, not you, didn't request, did not request, undo, cancel, revoke, \
      view in browser, view this email, view online, order, orders, track, tracking, help, \
      help center, help centre, faq, support, contact, contact us, contact support, facebook, \
      twitter, instagram, linkedin, youtube, tiktok, app store, google play, blog, documentation, \
      learn more, shop now, read more, report, report it, forum, community, careers, website, \
      abmelden von, abbestellen, newsletter, datenschutz, impressum, agb, kontakt, hilfe, \
      stornieren, nicht ich, das war ich nicht, im browser, se désabonner, désabonner, \
      désinscrire, désinscription, confidentialité, mentions légales, annuler, aide, \
      darse de baja, date de baja, cancelar, privacidad, ayuda, no fui yo, descadastrar, \
      cancelar inscrição, privacidade, ajuda, disiscriviti, annulla, privacy policy, aiuto, \
      afmelden, uitschrijven, annuleren, voorwaarden, wypisz się, prywatności, anuluj, pomoc, \
      abonelikten çık, aboneliği iptal, iptal, gizlilik, yardım, отписаться, отмена, отменить, \
      помощь, поддержка, конфиденциальности, відписатися, avregistrera, avsluta prenumeration, \
      integritetspolicy, afmeld, avmeld, peruuta, tietosuoja, odhlásit, zrušit, leiratkozás, \
      dezabonare, إلغاء, إلغاء الاشتراك, الخصوصية, مساعدة, הסר, פרטיות, עזרה, सदस्यता समाप्त, \
      hủy đăng ký, berhenti berlangganan
      """,
    anywhere: """
      配信停止, 退会, 登録解除, キャンセル, プライバシー, お問い合わせ, ヘルプ, 心当たりがない, 退订, 退訂, 取消, 隐私, 隱私, 帮助, \
      說明, 수신거부, 수신 거부, 취소, 개인정보, 도움말, ยกเลิก
      """)

  /// Parts of paths.
  static let goodPaths: Set<String> = [
    "reset", "password", "passwords", "verify", "verification", "confirm", "confirmation",
    "activate", "activation", "login", "signin", "magic", "auth", "action", "recover", "recovery",
    "invite", "invitation", "accept", "device", "otp", "token", "callback", "unlock", "validate",
    "mdp", "passwort", "resetpassword", "verifyemail", "mailverify", "connect", "link", "account",
    "forgot", "session", "sessions", "register", "signup", "onboarding",
  ]

  static let badPaths: Set<String> = [
    "unsubscribe", "unsub", "optout", "preferences", "privacy", "terms", "legal", "cancel",
    "revoke", "undo", "orders", "order", "tracking", "help", "support", "faq", "contact", "report",
    "desabonner", "abmelden", "abbestellen", "imprint", "impressum", "shop", "sale", "products",
  ]
}
