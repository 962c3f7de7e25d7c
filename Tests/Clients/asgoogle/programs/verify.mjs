// fetch and https of Node.js, with the keys at Google's address.
import { createPublicKey, verify } from "node:crypto";
import { request } from "node:https";

const KEYS = "https://www.googleapis.com/service_accounts/v1/jwk/" +
  "securetoken@system.gserviceaccount.com";
const tokens = process.argv.slice(2);

const part = (text) => JSON.parse(Buffer.from(text, "base64url"));

async function isGood(token) {
  const [head, body, signature] = token.split(".");
  const { keys } = await (await fetch(KEYS)).json();
  const key = keys.find(({ kid }) => kid === part(head).kid);
  return verify(
    "RSA-SHA256",
    Buffer.from(`${head}.${body}`),
    createPublicKey({ key, format: "jwk" }),
    Buffer.from(signature, "base64url"),
  ) &&
    Date.now() / 1000 < part(body).exp;
}

function status(token) {
  const path = `/v1/projects/${process.env.GOOGLE_CLOUD_PROJECT}` +
    "/databases/(default)/documents/cities";
  return new Promise((resolve, reject) => {
    request({
      host: "firestore.googleapis.com",
      path,
      headers: { authorization: `Bearer ${token}` },
    }, (reply) => {
      reply.resume();
      resolve(reply.statusCode);
    }).on("error", reject).end();
  });
}

for (const token of tokens) console.log("token", await isGood(token));
for (const token of tokens) console.log("firestore", await status(token));
await fetch("https://example.com/").then(
  () => console.log("example.com answered"),
  () => console.log("example.com refused"),
);
