// Decodes a token and checks its signature in the browser.

import { call, now } from "../core/api.js";
import { linkTo } from "../core/routes.js";
import { area, facts, field, fill, h, pretty, settled, tag, time } from "../core/ui.js";

export const jwks = "/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com";

export const bytes = (base64url) =>
  Uint8Array.from(
    atob(base64url.replace(/-/g, "+").replace(/_/g, "/")),
    (character) => character.charCodeAt(0),
  );

function decode(token) {
  const parts = token.split(".");
  if (parts.length !== 3) throw new Error("A token has three parts with dots between them.");
  const [header, payload] = ["header", "payload"].map((name, index) => {
    try {
      return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes(parts[index])));
    } catch {
      throw new Error(`The token's ${name} is not JSON in Base64URL.`);
    }
  });
  return { header, payload, parts };
}

/** What is to be said of the signature, and whether it is good or bad. */
async function verify({ header, parts }) {
  if (header.alg === "none") return ["not signed"];
  if (header.alg !== "RS256") return [`Signed with ${header.alg}; Hearth signs with RS256`, "bad"];
  if (!crypto.subtle) return ["not checked: this page came neither from localhost nor over TLS"];
  const { keys } = await call("GET", jwks);
  const key = keys.find(({ kid }) => kid === header.kid);
  if (!key) return [`this server has no key ${header.kid}`, "bad"];
  const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  const isRight = await crypto.subtle.verify(
    algorithm,
    await crypto.subtle.importKey("jwk", key, algorithm, false, ["verify"]),
    bytes(parts[2]),
    new TextEncoder().encode(`${parts[0]}.${parts[1]}`),
  );
  return isRight
    ? ["valid", "good"]
    : ["wrong: the token was changed, or another key signed it", "bad"];
}

/** A box to paste a token into. */
export function tokenTool(project, token = "") {
  const source = area(5, token);
  const result = h("div", { role: "status" });
  const decodeIt = () =>
    fill(result, async () => {
      const token = source.value.replace(/^\s*bearer |\s/gi, "");
      if (!token) return [];
      const decoded = decode(token);
      const verdict = await verify(decoded);
      const { header, payload } = decoded;
      const { aud, exp, iat, auth_time: signedIn, user_id: user = payload.sub } = payload;
      const moment = (seconds) => seconds && time(seconds * 1000);
      return [
        facts([
          ["Signature", tag(...verdict)],
          ["Audience", aud && [aud, aud === project ? "" : ", which is not this project"]],
          ["User", user && h("a", { href: linkTo("users", [user]) }, user)],
          ["Signed in", moment(signedIn)],
          ["Issued", moment(iat)],
          ["Expires", exp && [moment(exp), exp * 1000 > now() ? "" : [" ", tag("expired", "bad")]]],
        ]),
        h("h3", {}, "Header"),
        h("pre", {}, pretty(header)),
        h("h3", {}, "Payload"),
        h("pre", {}, pretty(payload)),
      ];
    });
  source.addEventListener("input", settled(decodeIt));
  if (token) decodeIt();
  return h(
    "div.card.token",
    {},
    field(
      "Token",
      source,
      "An ID token, a custom token or a session cookie. It does not leave this browser.",
    ),
    result,
  );
}
