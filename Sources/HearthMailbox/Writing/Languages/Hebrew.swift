extension Language {
  static let hebrew = Language(
    tag: "he", isRightToLeft: true, mails: .hebrew, pages: .hebrew,
    provider: .hebrew, mailbox: .hebrew)
}

extension MailWords {
  fileprivate static let hebrew = MailWords(
    greeting: "שלום,",
    namedGreeting: "שלום \(.name),",
    copyHint: "אם הכפתור אינו פועל, העתיקו את הכתובת הזו לדפדפן:",
    signature: "צוות \(.app)",
    textMessage: "\(.code) הוא קוד האימות שלכם ב-\(.app).",
    passwordReset: Wording(
      subject: "איפוס הסיסמה שלכם ב-\(.app)",
      message: """
        מישהו, כנראה אתם, ביקש סיסמה חדשה לחשבון \(.address) ב-\(.app). \
        פתחו את הקישור הזה כדי לבחור אותה:
        """,
      button: "בחירת סיסמה חדשה",
      disregard: "אם לא ביקשתם זאת, התעלמו מההודעה; הסיסמה שלכם תישאר כפי שהיא."),
    verifyEmail: Wording(
      subject: "אימות כתובת האימייל שלכם ב-\(.app)",
      message: """
        אשרו שהכתובת \(.address) שייכת לכם ולחשבון שלכם ב-\(.app). \
        כדי לאשר, פתחו את הקישור הזה:
        """,
      button: "אישור הכתובת שלי",
      disregard: "אם אין לכם חשבון כזה, התעלמו מההודעה."),
    emailSignIn: Wording(
      subject: "כניסה אל \(.app)",
      message: "בעזרת הקישור הזה תיכנסו אל \(.app) בתור \(.address), ללא סיסמה:",
      button: "כניסה אל \(.app)",
      disregard: "אם אינכם רוצים להיכנס, התעלמו מההודעה; הקישור פועל פעם אחת בלבד."),
    verifyAndChangeEmail: Wording(
      subject: "אימות כתובת האימייל החדשה שלכם ב-\(.app)",
      message: """
        מעתה ברצונכם להיכנס אל \(.app) עם \(.newAddress) במקום עם \(.address). \
        פתחו את הקישור הזה כדי לאשר את הכתובת החדשה:
        """,
      button: "אישור הכתובת החדשה",
      disregard: "אם לא ביקשתם את השינוי, התעלמו מההודעה; דבר לא ישתנה."),
    recoverEmail: Wording(
      subject: "כתובת הכניסה שלכם אל \(.app) שונתה",
      message: """
        הכתובת שבה אתם נכנסים אל \(.app) שונתה מ-\(.address) ל-\(.newAddress). \
        אם לא אתם ביצעתם את השינוי, פתחו את הקישור הזה כדי לבטל אותו:
        """,
      button: "שחזור הכתובת שלי",
      disregard: "אם שיניתם את הכתובת בעצמכם, אין צורך לעשות דבר."))
}

extension PageWords {
  fileprivate static let hebrew = PageWords(
    choosePassword: "בחירת סיסמה חדשה",
    choosePasswordAgain: "שגיאה: בחירת סיסמה חדשה",
    email: "כתובת אימייל",
    newPassword: "סיסמה חדשה",
    savePassword: "שמירת הסיסמה",
    onward: "המשך",
    failed: "הפעולה נכשלה",
    passwordChanged: Notice(
      title: "הסיסמה שונתה",
      message: "עכשיו אפשר להיכנס בתור {email} עם הסיסמה החדשה."),
    emailVerified: Notice(
      title: "כתובת האימייל אומתה",
      message: "הכתובת {email} אושרה. עכשיו אפשר להיכנס איתה."),
    emailChanged: Notice(
      title: "כתובת האימייל שונתה",
      message: "הכתובת {email} אושרה. מעתה יש להיכנס עם הכתובת הזו."),
    emailRestored: Notice(
      title: "כתובת האימייל שוחזרה",
      message: """
        {email} היא שוב הכתובת של החשבון שלכם. אם לא ביקשתם את השינוי, ייתכן שמישהו יודע את \
        הסיסמה שלכם: אפסו אותה עכשיו.
        """),
    codeExpired: Notice(
      title: "תוקף הקישור פג",
      message: "הקישור היה בתוקף לזמן מוגבל. בקשו קישור חדש באפליקציה."),
    codeInvalid: Notice(
      title: "הקישור אינו פועל",
      message: "הוא כבר שימש, הוחלף או לא הועתק בשלמותו. בקשו קישור חדש באפליקציה."),
    missingParameter: Notice(
      title: "הקישור אינו שלם",
      message: "הפרמטר {name} חסר או אינו מובן. העתיקו את הקישור המלא."),
    missingContinueURL: Notice(
      title: "הקישור אינו מוביל לשום מקום",
      message: """
        קישור כניסה צריך {name}, שבו האפליקציה ממשיכה. הגדירו אותו בהגדרות קוד הפעולה כשמבקשים \
        את הקישור.
        """),
    showPassword: "הצגת הסיסמה",
    passwordRules: PasswordRules(
      heading: "הסיסמה צריכה לכלול:",
      atLeast: "לפחות {count} תווים",
      atMost: "לכל היותר {count} תווים",
      lowercase: "אות לטינית קטנה",
      uppercase: "אות לטינית גדולה",
      digit: "ספרה",
      symbol: "תו מיוחד כמו ! או ?",
      missing: "עדיין חסר: {rules}",
      met: "הסיסמה עומדת בדרישות.",
      refused: "הסיסמה הזו אינה עומדת בדרישות."),
    openInApp: "פתיחה באפליקציה",
    opensAddress: "הכתובת {url} תיפתח באפליקציה במכשיר הזה.",
    continueInBrowser: "המשך בדפדפן",
    unsafeAddress: "הקישור היה מוביל אל {url}. כתובות מסוג זה אינן נפתחות.",
    codeUsed: Notice(
      title: "הקישור כבר שימש",
      message: """
        קישור פועל פעם אחת בלבד, והקישור הזה מילא את תפקידו. אם לא אתם השתמשתם בו, בקשו \
        קישור חדש באפליקציה.
        """),
    emailTaken: Notice(
      title: "הכתובת כבר בשימוש",
      message: "חשבון אחר משתמש בכתובת הזו. בחרו כתובת אחרת באפליקציה."),
    signIn: Notice(
      title: "המשך באפליקציה",
      message: "ביקשתם קישור לכניסה ללא סיסמה. האפליקציה משלימה את הכניסה."))
}

extension ProviderWords {
  fileprivate static let hebrew = ProviderWords(
    signIn: "כניסה באמצעות {provider}",
    notice: "הדף הזה מחליף את הספק. דבר לא נשלח אליו.",
    accounts: "חשבונות",
    newAccount: "חשבון חדש",
    addAccount: "הוספת חשבון",
    needsScript: "הדף הזה זקוק ל-JavaScript, כמו ערכות ה-SDK.",
    noAccounts: "עדיין אין חשבונות {provider}.",
    choose: "בחרו חשבון או הוסיפו חשבון חדש.",
    noName: "(ללא שם)",
    generate: "יצירת פרטים אוטומטית",
    email: "כתובת אימייל",
    displayName: "שם לתצוגה (לא חובה)",
    screenName: "שם משתמש (לא חובה)",
    photo: "כתובת תמונת הפרופיל (לא חובה)",
    back: "חזרה",
    invalidEmail: "הזינו כתובת אימייל תקינה.",
    missingEmail: "חובה להזין כתובת אימייל.",
    openerGone: "הדף שפתח את הדף הזה כבר לא קיים. סגרו אותו ונסו שוב.")
}

extension MailboxWords {
  fileprivate static let hebrew = MailboxWords(
    title: "תיבת הדואר של {project}",
    project: "פרויקט",
    show: "הצגה",
    reloads: "הדף נטען מחדש כל 3 שניות.",
    stop: "עצירה",
    staysAsItIs: "הדף לא נטען מחדש מעצמו.",
    reload: "טעינה מחדש כל 3 שניות",
    empty: "עדיין אין הודעות. בקשו איפוס סיסמה או אימות של כתובת אימייל, וההודעה תופיע כאן.",
    count: "הודעות, מהחדשה לישנה: {count}",
    to: "אל",
    from: "מאת",
    subject: "נושא",
    type: "סוג",
    state: "מצב",
    time: "זמן",
    tenant: "דייר",
    language: "שפה",
    sent: "נשלחה",
    expires: "תפוגה",
    used: "נוצלה",
    link: "קישור",
    openLink: "פתיחת הקישור",
    copyLink: "העתקת הקישור",
    code: "קוד",
    copyCode: "העתקת הקוד",
    copied: "הועתק",
    message: "הודעה",
    plainText: "כטקסט פשוט",
    otherForms: "גם בתור {forms}.",
    missing: "אין הודעה כזו",
    missingIn: "בפרויקט {project} אין הודעה {id}.",
    pending: "ממתין",
    isUsed: "נוצל",
    expired: "פג תוקף",
    notSent: "לא נשלח",
    noSubject: "(ללא נושא)",
    textMessage: "הודעת SMS")
}
