extension Language {
  static let hebrew = Language(tag: "he", isRightToLeft: true, mails: .hebrew, pages: .hebrew)
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
