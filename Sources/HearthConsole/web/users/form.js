// The form of an account, and what a person changed in it.

import { area, checkbox, field, h, input, parseObject, pretty } from "../core/ui.js";

/** The form's fields, and `changes()`: the changed members for the wire. */
export function editor(user) {
  const texts = {
    displayName: ["Name"],
    email: ["E-mail", { type: "email" }],
    phoneNumber: ["Phone", { type: "tel", placeholder: "+15555550100" }],
    photoUrl: ["Photo", { type: "url", placeholder: "https://…" }],
    password: [user.localId ? "New password" : "Password"],
  };
  const controls = Object.entries(texts).map((
    [name, [label, attributes]],
  ) => [name, label, input({ value: user[name] ?? "", ...attributes })]);
  const verified = checkbox(user.emailVerified);
  const disabled = checkbox(user.disabled);
  const before = user.customAttributes ? pretty(JSON.parse(user.customAttributes)) : "";
  const claims = area(4, before);
  const changes = () => {
    const body = {};
    for (const [name, , control] of controls) {
      const value = control.value.trim();
      if (value !== (user[name] ?? "")) body[name] = value;
    }
    // A new address is not verified, unless the box says so.
    if (body.email || verified.checked !== Boolean(user.emailVerified)) {
      body.emailVerified = verified.checked;
    }
    if (disabled.checked !== Boolean(user.disabled)) body.disabled = disabled.checked;
    if (claims.value.trim() !== before) {
      body.customAttributes = JSON.stringify(
        parseObject(claims.value.trim() || "{}", "Custom claims"),
      );
    }
    return body;
  };
  return {
    changes,
    controls: {
      ...Object.fromEntries(controls.map(([name, , control]) => [name, control])),
      verified,
      disabled,
      claims,
    },
    fields: [
      h("div.grid", {}, controls.map(([, label, control]) => field(label, control))),
      field("E-mail is verified", verified),
      field("Disabled", disabled),
      field("Custom claims", claims, "A JSON object, at most 1000 characters"),
    ],
  };
}
