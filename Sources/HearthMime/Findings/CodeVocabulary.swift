/// Words that say whether a number is a code.
enum CodeVocabulary {
  static let keywords = Vocabulary(
    words: """
      pin, pins, otp, totp, tan, mtan, token, one-time password, one time password, one time code, \
      verification, verification number, security number, temporary number, magic number, kod, \
      kód, kod weryfikacyjny, cod, codul, codi, cód, codice, codici, clave, clave de acceso, senha, \
      chave, mã, mã xác, kode, kodi, passord, engångskod, einmalpasswort, einmalkennwort, code, \
      codes, codigo, código, códigos, contraseña de un solo uso, mot de passe à usage, pincode, \
      κωδικός, κωδικό, κωδικος, رمز, الرمز, رمزك, ورمز, كود, الكود, کد, کوڈ, קוד, הקוד, קודך, \
      कोड, ओटीपी, ওটিপি, কোড, குறியீடு, కోడ్
      """,
    beginnings: """
      kodunuz, kodu, koda, kodem, koodi, kodas, kods, kódu, kódja, kódot, kódom, codul, код
      """,
    endings: "code, codes, kod, koden, koodi, kode, kodu",
    anywhere: """
      コード, 認証番号, 確認番号, 暗証番号, ワンタイムパスワード, 验证码, 驗證碼, 认证码, 認證碼, 确认码, 確認碼, 校验码, \
      動態碼, 动态码, 安全码, 安全碼, 代码, 代碼, 密码, 口令, 인증번호, 인증코드, 인증 번호, 인증 코드, 확인 코드, 코드, 보안코드, \
      รหัส, លេខកូដ, កូដ
      """)

  /// Keywords that are about something else too often for a number that only shares a mail with them.
  static let vague = Vocabulary(words: "token, tokens, pins")

  /// What is said before and after a code that is not called one: "Use 739204 to sign in."
  static let requests = Vocabulary(words: "use, enter, type, type in, input")
  static let purposes = Vocabulary(
    words: """
      to sign in, to sign into, to sign on, to signin, to log in, to log into, to log on, to login, \
      to verify, to confirm your, to authenticate, to complete your sign, to finish signing in, \
      to complete your login, to complete sign in, to reset your password, for signing in
      """)

  /// Words beside numbers that are something else.
  static let negatives = Vocabulary(
    words: """
      promo, promotion, promotional, coupon, voucher, discount, gift card, off, sale, order, orders, \
      order number, reference, ref, invoice, request id, ticket number, ticket, case number, case id, \
      code of conduct, postal, postal code, postcode, zip, zip code, tracking, tracking number, \
      shipment, parcel, customer number, account number, member number, membership number, version, \
      build, error code, status code, source code, country code, area code, barcode, bar code, \
      dress code, iban, bic, swift code, sort code, vat, tax id, tel, phone, fax, hotline, call, \
      copyright, icp, hrb, ein, siret, abn, suite, street, road, box, flight, room, seat, gate, \
      article, sku, item, serial number, policy number, receipt, transaction, booking, \
      gutschein, gutscheincode, rabatt, rabattcode, aktionscode, bestellung, bestellnummer, \
      rechnung, rechnungsnummer, kundennummer, vorgangsnummer, sendung, sendungsnummer, plz, \
      telefon, steuernummer, auftrag, auftragsnummer, \
      commande, facture, réduction, promotionnel, bon d'achat, code postal, téléphone, suivi, colis, \
      pedido, factura, descuento, cupón, promocional, referencia, código postal, teléfono, \
      envío, fatura, desconto, cupom, encomenda, referência, cep, \
      ordine, fattura, sconto, buono, riferimento, cap, telefono, spedizione, \
      bestelling, bestelnummer, factuur, korting, kortingscode, klantnummer, \
      zamówienie, zamówienia, faktura, rabat, rabatowy, numer klienta, \
      sipariş, fatura no, indirim, kupon, заказ, заказа, заказу, счёт, счет, скидка, скидку, \
      промокод, купон, замовлення, знижка, beställning, ordernummer, rabattkod, fakturanummer, \
      tilaus, tilausnumero, ordre, ordrenummer, objednávka, objednávky, sleva, rendelés, \
      طلب, الطلب, طلبك, فاتورة, خصم, كوبون, הזמנה, חשבונית, קופון, ऑर्डर, कूपन, đơn hàng, hóa đơn
      """,
    beginnings: "промокод, rabattcode, gutschein, bestellnr, rechnungsnr",
    exceptions: "in order to",
    anywhere: """
      注文番号, 注文, 請求書, クーポン, 割引, お問い合わせ, 電話, 郵便番号, 追跡番号, 订单, 訂單, 发票, 發票, 优惠, 優惠, \
      折扣, 电话, 電話, 备案, 快递, 运单, 주문번호, 주문, 쿠폰, 할인, 송장, 전화, 문의, 우편번호, 사업자, คำสั่งซื้อ, ส่วนลด
      """)

  /// Units of time after a number, and what says that something lasts.
  static let units = Vocabulary(
    words: """
      second, seconds, sec, secs, minute, minutes, min, mins, hour, hours, hr, hrs, day, days, week, \
      weeks, month, months, year, years, minuten, stunden, stunde, tage, tagen, heures, heure, jours, \
      minutos, horas, dias, días, minuti, ore, giorni, minuut, uur, dagen, dakika, saat, gün, минут, \
      минуты, часов, часа, дней, хвилин, годин, minut, minuty, godzin, dni, minuter, timmar, dagar, \
      minutter, timer, minuuttia, tuntia, دقيقة, دقائق, ساعة, ساعات, דקות, שעות, मिनट, घंटे, phút, \
      giờ, menit, jam, usd, eur, gbp, chf, euro, euros, dollars, pounds, points, users, people
      """,
    anywhere: "分, 秒, 小时, 小時, 時間, 天, 日, 年, 月, 분, 초, 시간, 일, 년, 월, 号, 號, นาที, ชั่วโมง, 円, 元, 원")
}
