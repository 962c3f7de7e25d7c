// The table of accounts: searched, filtered, sorted, in pages, and changed many at once.

import { call, now, own, tenantsOf } from "../core/api.js";
import { linkTo, note } from "../core/routes.js";
import {
  actions, announce, button, checkbox, copyButton, dangerous, field, fill, h, input, plural, say,
  select, settled, shortTime, table, tag,
} from "../core/ui.js";
import { nameOf, providersOf, userLink } from "./names.js";

const sizes = [50, 100, 250, 500];
const choices = {
  provider: ["Provider", [
    ["", "Any"],
    ["password"],
    ["phone"],
    ["google.com"],
    ["apple.com"],
    ["facebook.com"],
    ["github.com"],
    ["microsoft.com"],
    ["anonymous"],
    ["custom"]
  ]],
  disabled: ["State", [["", "Any"], ["false", "enabled"], ["true", "disabled"]]],
  verified: ["E-mail", [["", "Any"], ["true", "verified"], ["false", "not verified"]]],
  factor: ["Second factor", [
    ["", "Any"],
    ["any", "some"],
    ["none", "none"],
    ["phone"],
    ["totp", "TOTP"]
  ]],
};

/** A phone number is stored without the marks that people write it with. */
function sought(text) {
  const phone = text.replace(/[\s()-]/g, "");
  return /^\+?\d+$/.test(phone) ? phone : text;
}

export async function showList({ root, project, params, signal }) {
  let page = Math.max(1, Number(params.get("page")) || 1);
  let [sort, order] = [params.get("sort") ?? "", params.get("order") ?? ""];
  let total = 0;
  let reads = 0;
  const chosen = new Set();
  const search = input({ type: "search", placeholder: "A part of e-mail, phone, name or uid",
    value: params.get("q") ?? "" });
  const filters = Object.fromEntries(Object.entries(choices).map(([name, [, options]]) => [
    name, select(options, params.get(name) ?? "")
  ]));
  const tenant = select([["", "None"]], "");
  const tenantField = field("Tenant", tenant);
  tenantField.hidden = true;
  const size = select(sizes.map((count) => [String(count)]), params.get("size") ?? "50");
  const count = h("p.hint", { role: "status" });
  const bulk = h("div.bulk", { hidden: true, role: "group", "aria-label": "Chosen users" });
  const place = h("div");
  const back = button("Previous", () => load(page - 1, true));
  const next = button("Next", () => load(page + 1, true));
  const searchField = field("Find", search);
  searchField.classList.add("grows");

  const state = () => ({
    q: search.value.trim(),
    ...Object.fromEntries(Object.entries(filters).map(([name, { value }]) => [name, value])),
    tenant: tenant.value,
    sort,
    order,
    page: page > 1 ? page : "",
    size: size.value === "50" ? "" : size.value
  });
  const query = () => {
    const { q, page: _, size: __, tenant: tenantId, ...rest } = state();
    const given = Object.entries({ ...rest, tenantId }).filter(([, value]) => value);
    return new URLSearchParams([
      ["q", sought(q)],
      ["limit", size.value],
      ["offset", (page - 1) * size.value], ...given
    ]);
  };

  async function act(action, words, ids) {
    const body = { action, ...(ids ? { localIds: [...ids] } : filterOf()) };
    if (tenant.value) body.tenantId = tenant.value;
    const { changed } = await call("POST", own(project, "accounts:bulk"), { body });
    chosen.clear();
    await load(page);
    say(`${plural(changed ?? ids.size, "user")} ${words}.`);
  }

  function filterOf() {
    const { q, provider, disabled, verified, factor } = state();
    const filter = {
      ...(q && { q: sought(q) }),
      ...(provider && { provider }),
      ...(factor && { factor }),
      ...(disabled && { disabled: disabled === "true" }),
      ...(verified && { verified: verified === "true" })
    };
    return Object.keys(filter).length ? { filter } : { all: true };
  }

  function drawBulk() {
    bulk.hidden = !chosen.size;
    if (!chosen.size) return;
    const all = checkbox(false);
    const ids = () => (all.checked ? null : chosen);
    bulk.replaceChildren(h("strong", {}, `${chosen.size} chosen`),
      total > chosen.size ? field(`All ${total} that match`, all) : "",
      button("Disable", () => act("disable", "disabled", ids())), button("Enable", () => act(
        "enable", "enabled", ids())),
      button("End sessions", () => act("revokeSessions", "signed out", ids())),
      copyButton("Copy uids", () => [...chosen].join("\n")),
      dangerous("Delete", () => `${all.checked ? total : chosen.size} users will be deleted.`,
        () => act("delete", "deleted", ids()), { "aria-label": "Delete chosen" }));
  }

  function heads() {
    const sortable = (label, key, down) => {
      const isNow = (sort || "created") === key;
      const isDown = isNow && (order || (down ? "desc" : "asc")) === "desc";
      return h("button.sorts", {
        type: "button",
        "data-sort": isNow ? (isDown ? "descending" : "ascending") : undefined,
        onclick: () => {
          order = isNow ? (isDown ? "asc" : "desc") : down ? "desc" : "asc";
          sort = key;
          load(1);
        }
      }, label);
    };
    return [
      [sortable("User", "email")],
      [sortable("Uid", "uid"), "wide"],
      ["Signs in with", "wide"],
      ["State"],
      [sortable("Created", "created", true), "wide"],
      [sortable("Last sign-in", "lastSignIn", true), "wide"]
    ];
  }

  function rowOf(user) {
    const box = checkbox(chosen.has(user.localId), { "aria-label": `Choose ${nameOf(user)}` });
    box.addEventListener("input", () => {
      if (box.checked) chosen.add(user.localId);
      else chosen.delete(user.localId);
      drawBulk();
    });
    return [
      h("div.who", {}, box, h("div", {},
        h("a.cut", { href: userLink(user), "data-row": "", title: nameOf(user) }, nameOf(
          user)),
        user.displayName && user.displayName !== nameOf(user) &&
        h("small.cut", { title: user.displayName }, user.displayName))),
      h("code.cut.uid", { title: user.localId }, user.localId), providersOf(user),
      [user.disabled && tag("disabled", "bad"), user.emailVerified && tag("verified", "good"),
        user.mfaInfo?.length > 0 && tag("2 factors")
      ],
      shortTime(user.createdAt, now()), shortTime(user.lastLoginAt, now())
    ];
  }

  async function load(wanted, scrolls) {
    page = Math.max(1, wanted);
    note("users", [], state());
    const read = ++reads;
    await fill(place, async () => {
      const { userInfo: users = [], recordsCount } = await call("GET", own(project,
        `accounts?${query()}`), { signal });
      // Something else is wanted by now.
      if (read !== reads) return undefined;
      total = Number(recordsCount ?? users.length);
      const start = (page - 1) * size.value;
      const isFiltered = query().size > 3 || search.value.trim();
      count.textContent = total > 0 ?
        `${start + 1}–${start + users.length} of ${total}${sort ? "" : ", newest first"}` :
        isFiltered ? "No users found." : tenantField.hidden || tenant.value ? "No users yet." :
        "No users outside of the tenants. Choose a tenant to see its users.";
      announce(count.textContent);
      back.hidden = page === 1;
      next.hidden = start + users.length >= total;
      if (!users.length) return [];
      const frame = table("Users", heads(), users.map(rowOf));
      frame.classList.add("people");
      for (const element of frame.querySelectorAll("[data-sort]")) element.closest("th")
        .ariaSort = element.dataset.sort;
      return frame;
    });
    drawBulk();
    if (scrolls) root.scrollIntoView();
  }

  root.append(h("search.bar", {}, searchField, ...Object.entries(filters).map(([name, control]) =>
      field(choices[name][0], control)),
    tenantField, field("Rows", size), h("a.button.primary", { href: linkTo("users", [
      "+new"], { tenant: tenant.value }) }, "New user"),
    dangerous("Delete all", `All accounts of ${project} will be deleted.`, async () => {
      await call("DELETE",
        `/emulator/v1/projects/${encodeURIComponent(project)}/accounts`);
      await load(1);
    })), bulk, count, place, actions(back, next));
  search.addEventListener("input", settled(() => load(1), 150));
  for (const control of [...Object.values(filters), tenant, size]) control.addEventListener(
    "change", () => load(1));
  tenantsOf(project, signal).then((tenants) => {
    tenant.append(...tenants.map(({ id, displayName }) => h("option", { value: id },
      displayName || id)));
    tenantField.hidden = !tenants.length;
    if (!params.get("tenant")) return total === 0 && tenants.length && load(page);
    tenant.value = params.get("tenant");
    load(page);
  });
  await load(page);
  return () => load(page);
}
