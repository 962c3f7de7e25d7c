// A new account.

import { accounts, tenantsOf } from "../core/api.js";
import { linkTo } from "../core/routes.js";
import { field, form, h, heading, input, say, select } from "../core/ui.js";
import { editor } from "./form.js";

const methods = [["email", "E-mail and password"], ["phone", "Phone"], ["anonymous", "Anonymous"]];

export async function newUser(root, project, inTenant, signal) {
  const method = select(methods, "email");
  const uid = input({ maxlength: 128 });
  const tenants = await tenantsOf(project, signal);
  const tenant = select([
    ["", "None"],
    ...tenants.map(({ id, displayName }) => [id, displayName || id]),
  ], inTenant);
  const { changes, controls, fields } = editor({});
  const adapt = () => {
    const isEmail = method.value === "email";
    controls.email.required = isEmail;
    controls.password.required = isEmail;
    controls.phoneNumber.required = method.value === "phone";
    for (const name of ["email", "password", "phoneNumber"]) {
      controls[name].closest(".field").hidden = method.value === "anonymous";
    }
  };
  method.addEventListener("change", adapt);
  adapt();
  root.append(
    heading("New user"),
    form(
      [
        h(
          "div.grid",
          {},
          field("Signs in with", method),
          tenants.length > 0 && field("Tenant", tenant),
          field("Uid", uid, "Generated if left empty"),
        ),
        fields,
      ],
      "Create",
      async () => {
        const { customAttributes, ...body } = changes();
        if (method.value === "anonymous") {
          for (const name of ["email", "password", "phoneNumber", "emailVerified"]) {
            delete body[name];
          }
        }
        if (uid.value) body.localId = uid.value;
        const { localId } = await accounts(project, "", body, undefined, tenant.value);
        if (customAttributes) {
          const claims = { localId, customAttributes };
          await accounts(project, ":update", claims, undefined, tenant.value);
        }
        say("User created.", async () => {
          await accounts(project, ":delete", { localId }, undefined, tenant.value);
          location.hash = linkTo("users");
        });
        location.hash = linkTo("users", [localId], { tenant: tenant.value });
      },
    ),
  );
}
