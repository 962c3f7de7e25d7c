package import HearthErrors
package import HearthOperations
import HearthWire

/// `POST /batch` and `POST /fcm/send`, which Google has switched off: a page that says 404. An answer of
/// another form would be a reason to try again.
package enum RetiredSend: Operation {
  package static func run(
    _ request: NoFields, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    .answer(
      Answer(status: 404, body: .text(page, contentType: "text/html; charset=UTF-8"), headers: []))
  }

  private static let page = """
    <!DOCTYPE html>
    <html lang=en>
    <title>Error 404 (Not Found)!!1</title>
    <p><b>404.</b> That\u{2019}s an error.
    <p>The requested URL was not found on this server.

    """
}
