// A callable function as the functions emulator runs one: with the library's own code, in the debug mode
// that the emulator sets. It answers with its `app`.

import { createServer } from "node:http";
import { createRequire } from "node:module";

const { onCallHandler } = createRequire(import.meta.url)(process.argv[2]);

const handler = onCallHandler(
  { cors: { origin: true, methods: "POST" }, enforceAppCheck: true, consumeAppCheckToken: true },
  ({ app }) => app,
  "gcfv2",
);

const server = createServer(async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  // What express adds.
  Object.assign(request, {
    header: (name) => request.headers[name.toLowerCase()],
    body: JSON.parse(Buffer.concat(parts).toString()),
  });
  Object.assign(response, {
    status: (code) => Object.assign(response, { statusCode: code }),
    send: (body) => response.end(JSON.stringify(body)),
  });
  await handler(request, response);
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  console.log(typeof address === "object" ? address?.port : address);
});
