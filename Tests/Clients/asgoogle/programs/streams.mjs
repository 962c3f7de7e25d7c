// Many messages on one connection, as the Admin SDK for Node.js sends them: HTTP/2 only, all streams
// at once, and a scheme with its colon.
import { createSign } from "node:crypto";
import { readFileSync } from "node:fs";
import { connect } from "node:http2";

const project = process.env.GOOGLE_CLOUD_PROJECT;
const key = JSON.parse(readFileSync(process.env.GOOGLE_APPLICATION_CREDENTIALS));
const [rounds, batch] = process.argv.slice(2).map(Number);

async function accessToken() {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: key.client_email,
    aud: "https://oauth2.googleapis.com/token",
    scope: "https://www.googleapis.com/auth/firebase.messaging",
    iat: now,
    exp: now + 3600,
  };
  const input = [{ alg: "RS256", typ: "JWT" }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  const signature = createSign("RSA-SHA256").update(input).sign(key.private_key, "base64url");
  const reply = await fetch("https://oauth2.googleapis.com/token", {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
      assertion: `${input}.${signature}`,
    }),
  });
  return (await reply.json()).access_token;
}

function send(session, token, message) {
  return new Promise((resolve) => {
    const stream = session.request({
      ":method": "POST",
      ":scheme": "https:",
      ":path": `/v1/projects/${project}/messages:send`,
      authorization: `Bearer ${token}`,
      access_token_auth: "true",
      "content-type": "application/json;charset=utf-8",
    });
    let status;
    let text = "";
    stream.on("response", (headers) => status = headers[":status"]);
    stream.setEncoding("utf8").on("data", (data) => text += data);
    stream.on("end", () => resolve(status === 200 ? JSON.parse(text).name : `${status} ${text}`));
    stream.on("error", (error) => resolve(`${error.code} ${error.message}`));
    stream.end(JSON.stringify({ message }));
  });
}

const token = await accessToken();
const names = new Set();
for (let round = 0; round < rounds; round++) {
  const session = connect("https://fcm.googleapis.com");
  session.on("error", (error) => console.log("session", error.message));
  const sent = await Promise.all(
    Array.from({ length: batch }, (_, index) =>
      send(session, token, {
        token: `token-${round}-${index}`,
        notification: { title: "Order", body: `Your code is ${100000 + index}.` },
        fcmOptions: { analyticsLabel: "orders" },
      })),
  );
  session.close();
  for (const name of sent) {
    if (name.startsWith(`projects/${project}/messages/`)) names.add(name);
    else console.log("failed", name);
  }
}
console.log("sent", names.size);
