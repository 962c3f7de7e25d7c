// Signing keys, and a tool that decodes tokens.

import { call } from "../core/api.js";
import { actions, copyButton, dangerous, fill, h, say, table } from "../core/ui.js";
import { bytes, jwks, tokenTool } from "./token.js";

export async function show({ root, project, signal, hear }) {
  const place = h("div");
  const load = () =>
    fill(place, async () => {
      const { keys } = await call("GET", jwks, { signal });
      return table(
        "Keys",
        [["Key id"], ["Algorithm"], ["Size"]],
        keys.map((key) => [h("code", {}, key.kid), key.alg, `${bytes(key.n).length * 8} bits`]),
      );
    });
  root.append(
    h("h2", {}, "Signing keys"),
    place,
    actions(
      copyButton("Copy JWKS address", location.origin + jwks),
      dangerous(
        "Rotate",
        "A new key signs from now on. Tokens of older keys stay valid. This cannot be undone.",
        async () => {
          const { kid } = await call("POST", "/emulator/v1/keys:rotate", { body: {} });
          await load();
          say(`Key ${kid} signs now.`);
        },
      ),
    ),
    h("h2", {}, "Decode a token"),
    tokenTool(project),
  );
  hear((event) => {
    if (event === "keys.rotated") load();
  });
  await load();
}
