/// What the HTML of every mail has around its words.
///
/// Mail programs differ in the CSS that they know. Layout is a table and all that matters is in
/// `style` attributes; the style sheet in the head has only what may be ignored: the dark colours.
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
    <body style="margin:0;background:#faf7f4">
    <div style="display:none">
    """

  /// Up to the name of the app.
  static let afterPreview = """
    </div>
    <table role="presentation" class="p" width="100%" style="background:#faf7f4"><tr>\
    <td align="center" style="padding:24px 8px">
    <table role="presentation" class="c" width="100%" style="max-width:544px;background:#fff;\
    border:1px solid #ded5ce;border-radius:12px"><tr><td class="t" style="padding:24px;\
    color:#221d1a;font:16px/1.5 system-ui,'Segoe UI',Arial,sans-serif;text-align:start">
    <h1 style="margin:0 0 16px;font-size:18px">
    """

  static let afterApp = "</h1>\n<p>"

  static let beforeTarget = "<p><a class=\"button\" href=\""
  static let afterTarget = """
    " style="display:inline-block;padding:12px 20px;border-radius:8px;background:#b0400c;color:#fff;\
    font-weight:600;text-decoration:none">
    """
  static let afterButton = "</a></p>\n<p class=\"q\" style=\"font-size:14px;color:#6b605a\">"
  static let beforeCopy = "<br>\n<a href=\""
  static let insideCopy = "\" dir=\"ltr\" style=\"color:#b0400c;word-break:break-all\">"

  static let beforeSignature = "</p>\n<p style=\"margin-bottom:0\">"
  static let end = """
    </p>
    </td></tr></table>
    </td></tr></table>
    </body>
    </html>

    """
}
