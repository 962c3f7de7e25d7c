// The accounts of a project: searched, filtered, sorted, in pages, and changed many at once.

import { call, own, tenantsOf } from "../core/api.js";
import { live } from "../core/live.js";
import { part, render } from "../core/render.js";
import { linkTo, note } from "../core/routes.js";
import {
  announce,
  button,
  dangerous,
  field,
  h,
  input,
  plural,
  problem,
  say,
  select,
  settled,
} from "../core/ui.js";
import { undoable } from "../core/undo.js";
import { emptyUsers } from "./empty.js";
import { bulkBar, userTable } from "./table.js";
import {
  addressOf,
  choices,
  filterOf,
  isFiltered,
  queryOf,
  scopeOf,
  sizes,
  wantedFrom,
} from "./wanted.js";

/** A choice that is asked for when it changes. */
const filter = (label, options, chosen, choose) =>
  field(
    label,
    select(options, chosen, { onchange: ({ currentTarget }) => choose(currentTarget.value) }),
  );

/** The search, the filters, and what is done with all that match. */
function bar({ wanted, tenants, total, scope, ask, search, act }) {
  // It stays where it is while the rest is drawn, so that it keeps the focus of who types.
  const find = part("find", "", () => {
    const element = field("Find", search);
    element.classList.add("grows");
    return element;
  });
  return h(
    "search.bar",
    { key: "bar" },
    find,
    Object.entries(choices).map(([name, [label, options]]) =>
      filter(label, options, wanted[name], (value) => ask({ [name]: value, page: 1 }))
    ),
    tenants.length > 0 && filter(
      "Tenant",
      [["", "None"], ...tenants.map(({ id, displayName }) => [id, displayName || id])],
      wanted.tenant,
      (tenant) => ask({ tenant, page: 1 }),
    ),
    h(
      "a.button.primary",
      { href: linkTo("users", ["+new"], { tenant: wanted.tenant }) },
      "New user",
    ),
    // What is deleted is what is listed, here and on the other pages.
    total > 0 && dangerous(
      "Delete all",
      () => `${plural(total, "user")} will be deleted: ${scope}.`,
      () => act("delete", "deleted"),
    ),
  );
}

/** How many there are, in words. */
function count({ wanted, tenants, total, users }) {
  const start = (wanted.page - 1) * wanted.size;
  if (total > 0) {
    return `${start + 1}–${start + users.length} of ${total}${wanted.sort ? "" : ", newest first"}`;
  }
  if (isFiltered(wanted)) return "No users found.";
  return !tenants.length || wanted.tenant
    ? "No users yet."
    : "No users outside of the tenants. Choose a tenant to see its users.";
}

const pager = ({ wanted, total, users, turn, ask }) =>
  h(
    "div.bar.pages",
    { key: "pages" },
    wanted.page > 1 && button("Previous", () => turn(-1)),
    (wanted.page - 1) * wanted.size + users.length < total && button("Next", () => turn(1)),
    total > sizes[0] && filter(
      "Rows",
      sizes.map((size) => [String(size)]),
      String(wanted.size),
      (size) => ask({ size: Number(size), page: 1 }),
    ),
  );

/** Whether the project waits for its first user. */
const isFirst = ({ users, wanted, tenants }) =>
  users?.length === 0 && !tenants.length && !isFiltered(wanted);

/** Everything that is seen of the list. */
const page = (view) => [
  bar(view),
  h("p.hint", { key: "count", role: "status" }, view.users && count(view)),
  view.error && problem(view.error),
  view.users?.length > 0 && userTable(view.users, view),
  isFirst(view) && part("empty", view.project, () => emptyUsers(view.project)),
  view.users && pager(view),
  bulkBar(view),
];

const read = async (project, wanted, signal) => {
  const answer = await call("GET", own(project, `accounts?${queryOf(wanted)}`), { signal });
  const { userInfo: users = [], recordsCount } = answer;
  return { users, total: Number(recordsCount ?? users.length) };
};

/** A field for the search that is read a moment after the last key. */
function searchInput(wanted, ask) {
  const search = input({
    type: "search",
    placeholder: "Name, e-mail, phone, uid",
    value: wanted.q,
  });
  search.addEventListener("input", settled(() => ask({ q: search.value.trim(), page: 1 }), 150));
  return search;
}

/** The list as it is looked at: what is wanted, and who is chosen. */
class UserList {
  chosen = new Set();
  everywhere = false;

  constructor({ root, project, params, signal }, tenants) {
    Object.assign(this, { root, project, tenants, wanted: wantedFrom(params) });
    this.list = live((wanted) => read(project, wanted, signal), { signal });
    this.search = searchInput(this.wanted, this.ask);
  }

  ask = (changes) => {
    this.wanted = { ...this.wanted, ...changes };
    note("users", [], addressOf(this.wanted));
    return this.list.ask(this.wanted);
  };

  act = async (action, words, ids) => {
    const { project, wanted } = this;
    const body = { action, ...(ids ? { localIds: [...ids] } : filterOf(wanted)) };
    if (wanted.tenant) body.tenantId = wanted.tenant;
    let changed;
    const undo = await undoable(
      project,
      `${action === "delete" ? "delete" : "change"}-users`,
      async () => {
        ({ changed } = await call("POST", own(project, "accounts:bulk"), { body }));
      },
    );
    this.chosen.clear();
    this.everywhere = false;
    await this.ask(ids ? {} : { page: 1 });
    say(`${plural(changed ?? ids.size, "user")} ${words}.`, undo);
  };

  choose = (id, isChosen) => {
    if (isChosen) this.chosen.add(id);
    else this.chosen.delete(id);
    this.draw();
  };

  turn = async (step) => {
    await this.ask({ page: this.wanted.page + step });
    this.root.scrollIntoView();
  };

  setEverywhere = (isChosen) => {
    this.everywhere = isChosen;
    this.draw();
  };

  draw({ value, error } = this.list.state) {
    const { project, wanted, tenants, search, chosen, everywhere } = this;
    const { users, total = 0 } = value ?? {};
    const { ask, act, choose, turn, setEverywhere } = this;
    const state = { project, wanted, tenants, users, total, error, search, chosen, everywhere };
    const scope = scopeOf(wanted, project, tenants);
    render(this.root, page({ ...state, scope, ask, act, choose, turn, setEverywhere }));
  }
}

export async function showList(context) {
  const view = new UserList(context, await tenantsOf(context.project, context.signal));
  let told = "";
  view.list.subscribe((state) => {
    view.draw(state);
    const words = view.root.querySelector("[role=status]").textContent;
    if (words !== told && !state.isReading) announce(told = words);
  });
  await view.ask({});
  return view.list.soon;
}
