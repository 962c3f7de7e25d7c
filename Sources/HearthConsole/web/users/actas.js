// A token in the name of a user, with claims that a person chooses.

import { call, own } from "../core/api.js";
import {
  actions,
  area,
  copyButton,
  field,
  form,
  h,
  heading,
  hint,
  parseObject,
} from "../core/ui.js";
import { tokenTool } from "../tools/token.js";

export function actAs(project, user) {
  const claims = area(4, "", { placeholder: '{"role": "admin"}' });
  const result = h("div", { role: "status" });
  return [
    hint(
      "Signs in as this user without a password. The claims go into the token only; the account stays as it is.",
    ),
    form(field("More claims", claims, "A JSON object"), "Mint a token", async () => {
      const answer = await call("POST", own(project, "accounts:actAs"), {
        body: {
          localId: user.localId,
          ...(user.tenantId && { tenantId: user.tenantId }),
          ...(claims.value.trim() && { claims: parseObject(claims.value, "Claims") }),
        },
      });
      const { idToken, refreshToken, expiresIn } = answer;
      const bearer = `Authorization: Bearer ${idToken}`;
      result.replaceChildren(
        heading("ID token", 3),
        h("pre.token-text", {}, idToken),
        hint(`It expires in ${expiresIn} s.`),
        actions(
          copyButton("Copy ID token", idToken),
          copyButton("Copy as header", bearer),
          copyButton("Copy refresh token", refreshToken),
          copyButton(
            "Copy curl for Firestore",
            `curl -H '${bearer}' '${location.origin}/v1/projects/${project}/databases/(default)/documents/users/${user.localId}'`,
          ),
        ),
        tokenTool(project, idToken),
      );
    }),
    result,
  ];
}
