/// What the HTML of every mail has around its words.
///
/// Mail programs differ in the CSS that they know. Layout is a table and all that matters is in
/// `style` attributes; the style sheet in the head has only what may be ignored: the dark colours.
/// Outlook for Windows draws mails with Word's engine. That has no `max-width`, so that the card is in
/// a table of a fixed width that only it reads; and no padding of a link, so that a button is a cell.
/// The colours are those of `tokens.css`.
enum MailDesign {
  static let start = "<!doctype html>\n<html lang=\""
  static let leftToRight = "\">\n" + head
  static let rightToLeft = "\" dir=\"rtl\">\n" + head

  private static let head = """
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <meta name="color-scheme" content="light dark">
    <title>
    """

  /// Up to the text that lists of mails show beside the subject.
  static let afterTitle = """
    </title>
    <style>
    \(WebFiles.`mail.css`)</style>
    </head>
    <body style="margin:0;background:#fcfbfa">
    <div style="display:none">
    """

  /// Up to the name of the app.
  static let afterPreview = """
    </div>
    <table role="presentation" class="p" width="100%" cellpadding="0" cellspacing="0" border="0" \
    bgcolor="#fcfbfa" style="background:#fcfbfa"><tr><td style="padding:24px 8px">
    <!--[if mso]><table role="presentation" width="544" align="center" cellpadding="0" \
    cellspacing="0" border="0"><tr><td><![endif]-->
    <table role="presentation" class="c" width="100%" align="center" cellpadding="0" cellspacing="0" \
    border="0" bgcolor="#ffffff" style="max-width:544px;margin:0 auto;background:#fff;\
    border:1px solid #e8e3df;border-radius:10px"><tr><td class="t" style="padding:32px;color:#1c1815;\
    font:16px/1.5 system-ui,'Segoe UI',Arial,sans-serif">
    <h1 style="margin:0 0 16px;font-size:18px">
    """

  static let afterApp = "</h1>\n<p>"

  static let beforeTarget = """
    <table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td class="k" \
    bgcolor="#b0400c" style="background:#b0400c;border-radius:6px;mso-padding-alt:12px 20px">\
    <a class="button" href="
    """
  static let afterTarget = """
    " style="display:inline-block;padding:12px 20px;border-radius:6px;background:#b0400c;color:#fff;\
    font-weight:600;text-decoration:none">
    """
  static let afterButton = """
    </a></td></tr></table>
    <p class="q" style="font-size:14px;color:#665d57">
    """
  static let beforeCopy = "<br>\n<a href=\""
  static let insideCopy = "\" dir=\"ltr\" style=\"color:#b0400c;word-break:break-all\">"

  static let beforeSignature = "</p>\n<p style=\"margin-bottom:0\">"
  static let end = """
    </p>
    </td></tr></table>
    <!--[if mso]></td></tr></table><![endif]-->
    </td></tr></table>
    </body>
    </html>

    """
}
