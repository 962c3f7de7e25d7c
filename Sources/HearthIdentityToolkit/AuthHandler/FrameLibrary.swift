import HearthErrors
import HearthOperations
import HearthWire

/// The part of Google's frame library that the JS SDK and ``AuthIframe`` use for pop-ups and redirects.
enum FrameLibrary: Operation {
  static func run(
    _ request: NoFields, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    .answer(
      Answer(
        status: 200,
        body: .text(WebFiles.`frame-library.js`, contentType: "text/javascript; charset=utf-8"),
        headers: [
          ("X-Content-Type-Options", "nosniff"), ("Cache-Control", "public, max-age=3600"),
        ]))
  }
}
