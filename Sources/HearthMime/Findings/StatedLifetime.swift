/// How long a mail says that its code or link is valid.
enum StatedLifetime {
  /// In seconds, by the first sentence that says so.
  static func find(in content: MailContent) -> Int? {
    for line in content.lines {
      for range in line.sentences {
        let sentence = line.scalars[range]
        guard signs.isIn(sentence), !others.isIn(sentence) else { continue }
        if let seconds = duration(sentence) { return seconds }
      }
    }
    return nil
  }

  /// A number and a unit: `15 minutes`, `24h`, `one hour`, `30分間`.
  private static func duration(_ sentence: ArraySlice<Unicode.Scalar>) -> Int? {
    for (length, vocabulary) in units {
      for hit in vocabulary.hits(in: sentence) {
        if let number = number(before: hit.lowerBound, sentence) {
          let (seconds, isOver) = number.multipliedReportingOverflow(by: length)
          if !isOver, seconds > 0, seconds <= 366 * 86_400 { return seconds }
        }
      }
    }
    for (vocabulary, seconds) in wholes where vocabulary.isIn(sentence) { return seconds }
    return nil
  }

  private static func number(before end: Int, _ sentence: ArraySlice<Unicode.Scalar>) -> Int? {
    var index = end
    while index > sentence.startIndex, " -\u{A0}(".unicodeScalars.contains(sentence[index - 1]) {
      index -= 1
    }
    var start = index
    while start > sentence.startIndex, sentence[start - 1].isDigit { start -= 1 }
    if start < index {
      return Int(String(String.UnicodeScalarView(sentence[start..<index])))
    }
    while start > sentence.startIndex, sentence[start - 1].isWordLetter { start -= 1 }
    if start == index, start > sentence.startIndex { start -= 1 }
    let word = String(String.UnicodeScalarView(sentence[start..<index].map(FoldedText.lower)))
    return numbers[word] ?? word.unicodeScalars.last.flatMap { numbers[String($0)] }
  }

  private static let numbers: [String: Int] = {
    let words = [
      1:
        "a an one ein eine einer einem un une una uno uma um jednej jedna jedną één en ett bir один одного одну yksi yhden egy o μία 一 한 1",
      2:
        "two zwei deux dos duas dois due twee dwie två to iki два две две kaksi két două δύο 两 兩 二 두",
      3: "three drei trois tres três tre drie trzy üç три 三 세",
      4: "four vier quatre cuatro quatro 四 네",
      5: "five fünf cinq cinco cinque vijf pięć beş пять 五", 6: "six sechs seis sei zes 六",
      7: "seven sieben sept siete sete sette zeven 七", 8: "eight acht huit ocho oito otto 八",
      10: "ten zehn dix diez dez dieci tien dziesięć on десять 十",
      12: "twelve zwölf douze doce doze dodici twaalf",
      15: "fifteen fünfzehn quinze quince quindici vijftien",
      20: "twenty zwanzig vingt veinte vinte",
      24: "twenty-four vierundzwanzig", 30: "thirty dreißig trente treinta trinta trenta dertig",
      48: "forty-eight", 60: "sixty sechzig soixante",
    ]
    var numbers: [String: Int] = [:]
    for (number, list) in words {
      for word in list.split(separator: " ") { numbers[String(word)] = number }
    }
    return numbers
  }()

  private static let units: [(Int, Vocabulary)] = [
    (
      60,
      Vocabulary(
        words: """
          minute, minutes, min, mins, minuten, minuto, minutos, minuti, minuut, minuuttia, minuutin, \
          minuter, minutter, minut, minuty, minuta, perc, percig, percen, dakika, dakikadır, минут, \
          минуты, минута, минуту, хвилин, хвилини, minute, λεπτά, دقيقة, دقائق, دقیقه, דקות, दक़ीक़े, \
          मिनट, মিনিট, phút, menit
          """,
        beginnings: "dakika, perc", anywhere: "分钟, 分鐘, 分間, 分, 분, นาที")
    ),
    (
      3_600,
      Vocabulary(
        words: """
          hour, hours, hr, hrs, h, stunde, stunden, std, heure, heures, hora, horas, ora, ore, uur, \
          godzin, godziny, godzinę, godz, saat, час, часа, часов, годин, години, годину, timme, \
          timmar, time, timer, tunti, tuntia, tunnin, hodin, hodiny, hodinu, óra, órán, oră, ώρα, \
          ώρες, ساعة, ساعات, ساعت, שעה, שעות, घंटे, घंटा, ঘণ্টা, giờ, jam
          """,
        beginnings: "saat, óráig", anywhere: "小时, 小時, 時間, 시간, ชั่วโมง")
    ),
    (
      86_400,
      Vocabulary(
        words: """
          day, days, tag, tage, tagen, jour, jours, día, días, dia, dias, giorno, giorni, dag, dagen, \
          dagar, dage, dager, dni, dzień, gün, день, дня, дней, днів, päivä, päivää, päivän, dnů, \
          dny, nap, napig, zile, zi, ημέρα, ημέρες, يوم, أيام, يوما, روز, יום, ימים, दिन, দিন, ngày, hari
          """,
        beginnings: "gün", anywhere: "天, 日間, 日以内, 일, วัน")
    ),
    (
      604_800,
      Vocabulary(
        words: """
          week, weeks, woche, wochen, semaine, semaines, semana, semanas, settimana, settimane, weken, \
          tydzień, tygodni, hafta, неделя, недели, недель, vecka, veckor, uge, uger, uke, uker, viikko
          """, anywhere: "周, 週間, 주일")
    ),
    (
      1,
      Vocabulary(
        words: "second, seconds, secs, sekunden, secondes, segundos, secondi, seconden, секунд",
        anywhere: "秒, 초")
    ),
  ]

  /// Forms in which the number is part of the word.
  private static let wholes: [(Vocabulary, Int)] = [
    (Vocabulary(words: "ساعتين, ساعتان, שעתיים"), 7_200),
    (Vocabulary(words: "half an hour, halbe stunde, media hora, demi-heure"), 1_800),
    (Vocabulary(words: "ساعة واحدة, ساعة, שעה, an hour, the hour, часа"), 3_600),
    (Vocabulary(words: "دقيقتين"), 120),
    (Vocabulary(words: "يومين, יומיים"), 172_800),
  ]

  private static let signs = Vocabulary(
    words: """
      expire, expires, expired, expiring, expiration, expiry, valid, validity, within, works for, \
      work for, for the next, good for, lasts, active for, only for, next, use it in, \
      gültig, gültigkeit, läuft, ablaufen, abläuft, verfällt, innerhalb, verfallen, \
      valable, valide, expire, expirera, validité, dans les, \
      caduca, caducará, válido, válida, vence, expira, expirará, vigencia, validez, dentro de, \
      validade, prazo, scade, scadrà, valido, valida, entro, scadenza, \
      geldig, verloopt, vervalt, binnen, ważny, ważna, ważne, wygasa, wygaśnie, ważność, \
      geçerli, geçerlidir, sona, süresi, içinde, действует, действителен, действительна, \
      действительно, истекает, истечёт, истечет, действия, годен, дійсний, діє, дійсне, закінчиться, \
      giltig, giltigt, gäller, upphör, gyldig, gyldigt, udløber, utløper, voimassa, vanhenee, \
      platný, platnost, platí, vyprší, érvényes, lejár, valabil, valabilă, expiră, ισχύει, λήγει, \
      صالح, صالحة, صلاحية, ينتهي, تنتهي, معتبر, תקף, בתוקף, יפוג, תוקף, मान्य, वैध, মেয়াদ, \
      hiệu lực, hết hạn, berlaku, kedaluwarsa, kadaluarsa
      """,
    anywhere:
      "有効, 以内, 分钟内, 分鐘內, 小时内, 小時內, 天内, 天內, 有效, 失效, 过期, 過期, 内使用, 유효, 만료, 이내, หมดอายุ, ใช้ได้, ภายใน")

  /// Sentences about how soon somebody answers or delivers.
  private static let others = Vocabulary(
    words: """
      reply, respond, response, get back to you, business days, deliver, delivered, delivery, refund, \
      arrive, ship, shipped, werktage, antworten, répondrons, livraison, laborables, entrega, \
      consegna, last sign-in, deleted, delete
      """)
}
