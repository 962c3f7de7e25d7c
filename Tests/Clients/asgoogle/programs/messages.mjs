// The Admin SDK for Node.js, from the folder of packages that is named first.
import { createRequire } from "node:module";

const require = createRequire(`${process.argv[2]}/`);
const { initializeApp } = require("firebase-admin/app");
const { getMessaging } = require("firebase-admin/messaging");

const control =
  `${process.env.HEARTH_CONSOLE_URL}/emulator/v1/projects/${process.env.GOOGLE_CLOUD_PROJECT}`;

async function register(state) {
  const reply = await fetch(`${control}/devices`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ state }),
  });
  return (await reply.json()).token;
}

const codeOf = (promise) => promise.then(() => "sent", (error) => error.code);

initializeApp();
const messaging = getMessaging();
const phone = await register("registered");
const gone = await register("unregistered");

console.log("name", (await messaging.send({ token: phone, data: { order: "12" } })).split("/")[0]);
for (const state of ["unregistered", "senderIdMismatch", "quotaExceeded", "thirdPartyAuthError"]) {
  console.log("code", await codeOf(messaging.send({ token: await register(state) })));
}

// Five hundred, in as many streams of one connection.
const messages = Array.from({ length: 500 }, (_, index) => ({
  token: index === 7 ? gone : `node-${index}`,
  notification: { title: "Order", body: "It is on its way." },
  fcmOptions: { analyticsLabel: "orders" },
}));
const many = await messaging.sendEach(messages);
console.log("many", many.successCount, many.failureCount, many.responses[7].error.code);
const multicast = await messaging.sendEachForMulticast({ tokens: [phone, gone], data: { a: "b" } });
console.log("multicast", multicast.successCount, multicast.failureCount);

const subscribed = await messaging.subscribeToTopic([phone, gone], "node");
console.log("subscribed", subscribed.successCount, subscribed.failureCount);
await messaging.send({ topic: "node" });
const latest = await fetch(`${control}/messages/latest?to=topic:node&wait=10s`);
console.log("reached", (await latest.json()).push.deviceCount);
messaging.enableLegacyHttpTransport();
console.log("legacy", (await messaging.sendEach(messages.slice(20, 40))).successCount);
