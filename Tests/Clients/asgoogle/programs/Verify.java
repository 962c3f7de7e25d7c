import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.time.Instant;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLHandshakeException;

/** Verifies the ID tokens that it is given, with the certificates at Google's address. */
class Verify {
  static final HttpClient CLIENT = HttpClient.newHttpClient();
  static final String CERTIFICATES =
      "https://www.googleapis.com/robot/v1/metadata/x509/"
          + "securetoken@system.gserviceaccount.com";

  static HttpResponse<String> get(String url, String... headers) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
    if (headers.length > 0) request.headers(headers);
    return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  static String member(String json, String name) {
    Matcher found = Pattern.compile("\"" + name + "\"\\s*:\\s*\"?([^\",}]+)").matcher(json);
    return found.find() ? found.group(1) : "";
  }

  static String decoded(String part) {
    return new String(Base64.getUrlDecoder().decode(part), StandardCharsets.UTF_8);
  }

  static boolean isGood(String token) throws Exception {
    String[] parts = token.split("\\.");
    HttpResponse<String> reply = get(CERTIFICATES);
    if (reply.statusCode() != 200) throw new IllegalStateException(reply.body());
    String pem = member(reply.body(), member(decoded(parts[0]), "kid")).replace("\\n", "\n");
    Signature signature = Signature.getInstance("SHA256withRSA");
    signature.initVerify(
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(pem.getBytes())));
    signature.update((parts[0] + "." + parts[1]).getBytes());
    long end = Long.parseLong(member(decoded(parts[1]), "exp"));
    return signature.verify(Base64.getUrlDecoder().decode(parts[2]))
        && Instant.now().getEpochSecond() < end;
  }

  public static void main(String[] tokens) throws Exception {
    for (String token : tokens) System.out.println("token " + isGood(token));
    for (String token : tokens) {
      HttpResponse<String> reply =
          get(
              "https://firestore.googleapis.com/v1/projects/"
                  + System.getenv("GOOGLE_CLOUD_PROJECT")
                  + "/databases/(default)/documents/cities",
              "Authorization",
              "Bearer " + token);
      System.out.println("firestore " + reply.statusCode());
    }
    try {
      get("https://example.com/");
      System.out.println("example.com answered");
    } catch (java.io.IOException error) {
      System.out.println("example.com refused");
    }
  }
}
