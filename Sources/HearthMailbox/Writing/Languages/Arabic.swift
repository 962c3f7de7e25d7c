extension Language {
  static let arabic = Language(
    tag: "ar", isRightToLeft: true, mails: .arabic, pages: .arabic,
    provider: .arabic, mailbox: .arabic)
}

extension MailWords {
  fileprivate static let arabic = MailWords(
    greeting: "مرحبًا،",
    namedGreeting: "مرحبًا \(.name)،",
    copyHint: "إذا لم يعمل الزر، فانسخ هذا العنوان إلى متصفحك:",
    signature: "فريق \(.app)",
    textMessage: "\(.code) هو رمز التحقق الخاص بك في \(.app).",
    passwordReset: Wording(
      subject: "إعادة تعيين كلمة المرور في \(.app)",
      message: """
        طلب أحدهم، وهو أنت على الأرجح، كلمة مرور جديدة للحساب \(.address) في \(.app). \
        افتح هذا الرابط لاختيارها:
        """,
      button: "اختيار كلمة مرور جديدة",
      disregard: "إذا لم تطلب ذلك، فتجاهل هذه الرسالة؛ ستبقى كلمة مرورك كما هي."),
    verifyEmail: Wording(
      subject: "تأكيد عنوان بريدك الإلكتروني في \(.app)",
      message: """
        يُرجى تأكيد أن العنوان \(.address) يخصك ويخص حسابك في \(.app). \
        افتح هذا الرابط لتأكيده:
        """,
      button: "تأكيد عنواني",
      disregard: "إذا لم يكن لديك حساب كهذا، فتجاهل هذه الرسالة."),
    emailSignIn: Wording(
      subject: "تسجيل الدخول إلى \(.app)",
      message: """
        يمكنك بهذا الرابط تسجيل الدخول إلى \(.app) بالعنوان \(.address) من دون كلمة مرور:
        """,
      button: "تسجيل الدخول إلى \(.app)",
      disregard: """
        إذا كنت لا تريد تسجيل الدخول، فتجاهل هذه الرسالة؛ فالرابط يعمل مرة واحدة فقط.
        """),
    verifyAndChangeEmail: Wording(
      subject: "تأكيد عنوان بريدك الإلكتروني الجديد في \(.app)",
      message: """
        تريد من الآن فصاعدًا تسجيل الدخول إلى \(.app) بالعنوان \(.newAddress) بدلًا من \
        \(.address). افتح هذا الرابط لتأكيد العنوان الجديد:
        """,
      button: "تأكيد عنواني الجديد",
      disregard: "إذا لم تطلب هذا التغيير، فتجاهل هذه الرسالة؛ ولن يتغير شيء."),
    recoverEmail: Wording(
      subject: "تم تغيير عنوان تسجيل دخولك إلى \(.app)",
      message: """
        تغيّر العنوان الذي تسجل به الدخول إلى \(.app) من \(.address) إلى \(.newAddress). \
        إذا لم تكن أنت من أجرى هذا التغيير، فافتح هذا الرابط للتراجع عنه:
        """,
      button: "استعادة عنواني",
      disregard: "إذا أجريت التغيير بنفسك، فلا يلزمك فعل أي شيء."))
}

extension PageWords {
  fileprivate static let arabic = PageWords(
    choosePassword: "اختر كلمة مرور جديدة",
    choosePasswordAgain: "خطأ: اختر كلمة مرور جديدة",
    email: "عنوان البريد الإلكتروني",
    newPassword: "كلمة المرور الجديدة",
    savePassword: "حفظ كلمة المرور",
    onward: "متابعة",
    failed: "تعذّر إتمام ذلك",
    passwordChanged: Notice(
      title: "تم تغيير كلمة المرور",
      message: "يمكنك الآن تسجيل الدخول بالعنوان {email} وبكلمة مرورك الجديدة."),
    emailVerified: Notice(
      title: "تم تأكيد عنوان البريد الإلكتروني",
      message: "تم تأكيد {email}. يمكنك الآن تسجيل الدخول به."),
    emailChanged: Notice(
      title: "تم تغيير عنوان البريد الإلكتروني",
      message: "تم تأكيد {email}. سجّل الدخول بهذا العنوان من الآن فصاعدًا."),
    emailRestored: Notice(
      title: "تمت استعادة عنوان البريد الإلكتروني",
      message: """
        عاد {email} عنوانًا لحسابك. إذا لم تطلب التغيير، فربما يعرف شخص آخر كلمة مرورك: \
        أعد تعيينها الآن.
        """),
    codeExpired: Notice(
      title: "انتهت صلاحية هذا الرابط",
      message: "كان الرابط صالحًا لمدة محدودة. اطلب رابطًا جديدًا في التطبيق."),
    codeInvalid: Notice(
      title: "هذا الرابط لا يعمل",
      message: """
        استُخدم من قبل، أو استُبدل، أو لم يُنسخ كاملًا. اطلب رابطًا جديدًا في التطبيق.
        """),
    missingParameter: Notice(
      title: "هذا الرابط غير مكتمل",
      message: "المعلمة {name} ناقصة أو غير مفهومة. انسخ الرابط كاملًا."),
    missingContinueURL: Notice(
      title: "هذا الرابط لا يؤدي إلى أي مكان",
      message: """
        يحتاج رابط تسجيل الدخول إلى {name}، حيث يتولى التطبيق المتابعة. حدِّده في إعدادات رمز \
        الإجراء عند طلب الرابط.
        """),
    showPassword: "إظهار كلمة المرور",
    passwordRules: PasswordRules(
      heading: "يجب أن تحتوي كلمة المرور على:",
      atLeast: "{count} من الأحرف على الأقل",
      atMost: "{count} من الأحرف على الأكثر",
      lowercase: "حرف لاتيني صغير",
      uppercase: "حرف لاتيني كبير",
      digit: "رقم",
      symbol: "رمز خاص مثل ! أو ?",
      missing: "ما زال ناقصًا: {rules}",
      met: "كلمة المرور تستوفي المتطلبات.",
      refused: "كلمة المرور هذه لا تستوفي المتطلبات.",
      separator: "، "),
    openInApp: "فتح في التطبيق",
    opensAddress: "سيُفتح العنوان {url} في تطبيق على هذا الجهاز.",
    continueInBrowser: "المتابعة في المتصفح",
    unsafeAddress: "كان الرابط سيؤدي إلى {url}. لا تُفتح العناوين من هذا النوع.",
    codeUsed: Notice(
      title: "تم استخدام هذا الرابط",
      message: """
        يعمل كل رابط مرة واحدة فقط، وقد أدى هذا الرابط مهمته. إذا لم تستخدمه أنت، فاطلب \
        رابطًا جديدًا في التطبيق.
        """),
    emailTaken: Notice(
      title: "هذا العنوان مستخدَم",
      message: "يستخدم حساب آخر هذا العنوان. اختر عنوانًا آخر في التطبيق."),
    signIn: Notice(
      title: "تابع في التطبيق",
      message: "طلبت رابطًا لتسجيل الدخول من دون كلمة مرور. يُتم التطبيق تسجيل الدخول."))
}

extension ProviderWords {
  fileprivate static let arabic = ProviderWords(
    signIn: "تسجيل الدخول باستخدام {provider}",
    notice: "تحل هذه الصفحة محل مزوّد الهوية، ولا يُرسل إليه شيء.",
    accounts: "الحسابات",
    newAccount: "حساب جديد",
    addAccount: "إضافة حساب",
    needsScript: "تحتاج هذه الصفحة إلى JavaScript، كما تحتاج إليه حزم SDK.",
    noAccounts: "لا توجد حسابات {provider} بعد.",
    choose: "اختر حسابًا أو أضف حسابًا جديدًا.",
    noName: "(بلا اسم)",
    generate: "إنشاء المعلومات تلقائيًا",
    email: "البريد الإلكتروني",
    displayName: "الاسم المعروض (اختياري)",
    screenName: "اسم المستخدم (اختياري)",
    photo: "رابط صورة الملف الشخصي (اختياري)",
    back: "رجوع",
    invalidEmail: "أدخل عنوان بريد إلكتروني صالحًا.",
    missingEmail: "البريد الإلكتروني مطلوب.",
    openerGone: "لم تعد الصفحة التي فتحت هذه الصفحة موجودة. أغلقها وحاول مرة أخرى.")
}

extension MailboxWords {
  fileprivate static let arabic = MailboxWords(
    title: "صندوق بريد {project}",
    project: "المشروع",
    show: "عرض",
    reloads: "يُعاد تحميل هذه الصفحة كل 3 ثوانٍ.",
    stop: "إيقاف",
    staysAsItIs: "لا يُعاد تحميل هذه الصفحة تلقائيًا.",
    reload: "إعادة التحميل كل 3 ثوانٍ",
    empty: """
      لا توجد رسائل بعد. اطلب إعادة تعيين كلمة المرور أو التحقق من بريد إلكتروني، وستظهر \
      الرسالة هنا.
      """,
    count: "الرسائل، الأحدث أولًا: {count}",
    to: "إلى",
    from: "من",
    subject: "الموضوع",
    type: "النوع",
    state: "الحالة",
    time: "الوقت",
    tenant: "المستأجر",
    language: "اللغة",
    sent: "أُرسلت",
    expires: "تنتهي",
    used: "استُخدمت",
    link: "الرابط",
    openLink: "فتح الرابط",
    copyLink: "نسخ الرابط",
    code: "الرمز",
    copyCode: "نسخ الرمز",
    copied: "تم النسخ",
    message: "الرسالة",
    plainText: "نص عادي",
    otherForms: "أيضًا بصيغة {forms}.",
    missing: "الرسالة غير موجودة",
    missingIn: "لا توجد في المشروع {project} رسالة {id}.",
    pending: "معلّق",
    isUsed: "مستخدم",
    expired: "منتهٍ",
    notSent: "لم يُرسل",
    noSubject: "(بلا موضوع)",
    textMessage: "رسالة نصية")
}
