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

const nameOf = ({ displayName, id }) => displayName || id;

/** Asks for a tenant, a new one or this one. */
function edit(project, tenant, load) {
  const name = input({
    value: tenant?.displayName ?? "",
    required: true,
    pattern: "[A-Za-z][A-Za-z0-9\\-]{3,19}",
  });
  const boxes = Object.entries(options).map(([key, label]) => {
    const isOn = tenant ? tenant[key] : key === "allowPasswordSignup";
    return [key, label, checkbox(isOn)];
  });
  const fields = [
    field("Name", name, "4 to 20 letters, digits and hyphens"),
    boxes.map(([, label, box]) => field(label, box)),
  ];
  dialog(tenant ? `Tenant ${tenant.id}` : "New tenant", fields, "Save", async () => {
    const values = Object.fromEntries(boxes.map(([key, , box]) => [key, box.checked]));
    const undo = await save(project, tenant, { displayName: name.value.trim(), ...values });
    await load();
    say("Tenant saved.", async () => {
      await undo();
      await load();
    });
  });
}

/** Makes a tenant or changes it, and answers what takes that back. */
async function save(project, tenant, body) {
  if (!tenant) {
    const made = await config(project, "POST", "tenants", body);
    return () => config(project, "DELETE", `tenants/${made.name.split("/").at(-1)}`);
  }
  const path = `tenants/${tenant.id}?updateMask=${Object.keys(body).join(",")}`;
  await config(project, "PATCH", path, body);
  const before = Object.fromEntries(Object.keys(body).map((key) => [key, tenant[key]]));
  return () => config(project, "PATCH", path, before);
}

async function remove(project, { id }, load) {
  const work = () => config(project, "DELETE", `tenants/${id}`);
  const undo = await undoable(project, "delete-tenant", work);
  await load();
  say("Tenant deleted.", undo);
}

const buttonsOf = (project, tenant, load) =>
  h(
    "span.pair",
    {},
    copyButton("Copy id", tenant.id, { class: "slim" }),
    button("Edit", () => edit(project, tenant, load), {
      class: "slim",
      "aria-label": `Edit ${nameOf(tenant)}`,
    }),
    dangerous(
      "Delete",
      `Tenant ${nameOf(tenant)} and its users will be deleted.`,
      () => remove(project, tenant, load),
      { class: "danger slim", "aria-label": `Delete ${nameOf(tenant)}` },
    ),
  );

const listOf = (project, found, load) =>
  found.length
    ? table(
      "Tenants",
      [["Tenant"], ["Id", "wide"], ["Signs in with"], buttonsHead()],
      found.map((tenant) => [
        h("a.cut", { href: linkTo("users", [], { tenant: tenant.id }) }, nameOf(tenant)),
        h("code.cut", { title: tenant.id }, tenant.id),
        Object.entries(options).filter(([key]) => tenant[key]).map(([key, label]) => [
          tag(label, key === "disableAuth" ? "bad" : ""),
          " ",
        ]),
        buttonsOf(project, tenant, load),
      ]),
      { class: "tenants" },
    )
    : hint("No tenants.");

export async function tenants({ root, project, signal, hear }) {
  const place = h("div");
  const load = async () =>
    place.replaceChildren(listOf(project, await tenantsOf(project, signal), load));
  root.append(
    place,
    h(
      "p.actions",
      {},
      button("New tenant", () => edit(project, null, load), { class: "primary" }),
    ),
  );
  const soon = paced(() => load().catch(() => {}), 300);
  hear((event) => {
    if (/^(settings|sync|poll)/.test(event)) soon();
  });
  await load();
}
