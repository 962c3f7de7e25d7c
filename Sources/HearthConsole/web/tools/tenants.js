// Tenants: made, changed, deleted.

import { config, tenantsOf } from "../core/api.js";
import { linkTo } from "../core/routes.js";
import { undoable } from "../core/undo.js";
import {
  button,
  buttonsHead,
  checkbox,
  copyButton,
  dangerous,
  dialog,
  field,
  h,
  hint,
  input,
  paced,
  say,
  table,
  tag,
} from "../core/ui.js";

const options = {
  allowPasswordSignup: "E-mail and password",
  enableEmailLinkSignin: "Sign-in by mail link",
  enableAnonymousUser: "Anonymous users",
  disableAuth: "Sign-in is switched off",
};

export async function tenants({ root, project, signal, hear }) {
  const place = h("div");

  function edit(tenant) {
    const name = input({
      value: tenant?.displayName ?? "",
      required: true,
      pattern: "[A-Za-z][A-Za-z0-9\\-]{3,19}",
    });
    const boxes = Object.entries(options).map((
      [key, label],
    ) => [key, label, checkbox(tenant ? tenant[key] : key === "allowPasswordSignup")]);
    dialog(
      tenant ? `Tenant ${tenant.id}` : "New tenant",
      [
        field("Name", name, "4 to 20 letters, digits and hyphens"),
        boxes.map(([, label, box]) => field(label, box)),
      ],
      "Save",
      async () => {
        const body = {
          displayName: name.value.trim(),
          ...Object.fromEntries(boxes.map(([key, , box]) => [key, box.checked])),
        };
        const put = (values) =>
          config(
            project,
            "PATCH",
            `tenants/${tenant.id}?updateMask=${Object.keys(body).join(",")}`,
            values,
          );
        const made = await (tenant ? put(body) : config(project, "POST", "tenants", body));
        await load();
        const before = tenant &&
          Object.fromEntries(Object.keys(body).map((key) => [key, tenant[key]]));
        say("Tenant saved.", async () => {
          await (tenant
            ? put(before)
            : config(project, "DELETE", `tenants/${made.name.split("/").at(-1)}`));
          await load();
        });
      },
    );
  }

  async function load() {
    const found = await tenantsOf(project, signal);
    place.replaceChildren(
      found.length
        ? table(
          "Tenants",
          [["Tenant"], ["Id", "wide"], ["Signs in with"], buttonsHead()],
          found.map((tenant) => [
            h(
              "a",
              { href: linkTo("users", [], { tenant: tenant.id }) },
              tenant.displayName || tenant.id,
            ),
            h("code.cut", { title: tenant.id }, tenant.id),
            Object.entries(options).filter(([key]) => tenant[key]).map(([key, label]) => [
              tag(label, key === "disableAuth" ? "bad" : ""),
              " ",
            ]),
            h(
              "span.pair",
              {},
              copyButton("Copy id", tenant.id, { class: "slim" }),
              button(
                "Edit",
                () => edit(tenant),
                { class: "slim", "aria-label": `Edit ${tenant.displayName || tenant.id}` },
              ),
              dangerous(
                "Delete",
                `Tenant ${tenant.displayName || tenant.id} and its users will be deleted.`,
                async () => {
                  const undo = await undoable(
                    project,
                    "delete-tenant",
                    () => config(project, "DELETE", `tenants/${tenant.id}`),
                  );
                  await load();
                  say("Tenant deleted.", undo);
                },
                { class: "danger slim", "aria-label": `Delete ${tenant.displayName || tenant.id}` },
              ),
            ),
          ]),
        )
        : hint("No tenants."),
    );
  }
  root.append(
    place,
    h("p.actions", {}, button("New tenant", () => edit(null), { class: "primary" })),
  );
  const soon = paced(() => load().catch(() => {}), 300);
  hear((event) => {
    if (/^(settings|sync|poll)/.test(event)) soon();
  });
  await load();
}
