import Testing

@testable import HearthIdentityToolkit

@Suite struct `The app of a link` {
  private let app = MobileApp(
    iosBundleId: "com.example.ios-app", androidPackageName: "com.example.a_b")
  private let link = "http://127.0.0.1:9099/emulator/action?mode=signIn&oobCode=c"

  @Test func `is opened on iOS by the scheme of its bundle`() {
    let address = app.address(for: link, userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0)")
    #expect(
      address == "com.example.ios-app://google/link?deep_link_id="
        + "http%3A%2F%2F127.0.0.1%3A9099%2Femulator%2Faction%3Fmode%3DsignIn%26oobCode%3Dc")
  }

  @Test func `is opened on Android by an intent`() {
    let address = app.address(for: link + "#part", userAgent: "Mozilla/5.0 (Linux; Android 15)")
    #expect(
      address == "intent://127.0.0.1:9099/emulator/action?mode=signIn&oobCode=c"
        + "#Intent;scheme=http;package=com.example.a_b;end")
  }

  @Test(arguments: [nil, "Mozilla/5.0 (X11; Linux x86_64)", "curl/8"])
  func `is not offered elsewhere`(_ userAgent: String?) {
    #expect(app.address(for: link, userAgent: userAgent) == nil)
    #expect(MobileApp().address(for: link, userAgent: "iPhone Android") == nil)
  }

  @Test(arguments: [
    "javascript", "data", "https", "", ".", "com.", ".com", "com..x", "com.1x", "com.x;end",
    "com.x/y",
    "com.x:y", "com.é", "com x.y",
  ])
  func `must have a name that is nothing else`(_ name: String) {
    let app = MobileApp(iosBundleId: name, androidPackageName: name)
    #expect(app.address(for: link, userAgent: "iPhone") == nil)
    #expect(app.address(for: link, userAgent: "Android") == nil)
  }
}
