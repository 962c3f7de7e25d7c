// The table of accounts.

import { now } from "../core/api.js";
import { part } from "../core/render.js";
import {
  button,
  checkbox,
  copyButton,
  dangerous,
  field,
  h,
  plural,
  shortTime,
  table,
  tag,
  tr,
} from "../core/ui.js";
import { nameOf, providersOf, userLink } from "./names.js";

const columns = [
  ["User", "", "email"],
  ["Uid", "wide", "uid"],
  ["Signs in with", "wide"],
  ["State", ""],
  ["Created", "wide", "created"],
  ["Last sign-in", "wide", "lastSignIn"],
];
/** These begin with the latest. */
const isDownFirst = (key) => key === "created" || key === "lastSignIn";

/** The head of a column; it sorts where that can be done. */
function head([label, kind, key], { wanted: { sort, order }, ask }) {
  if (!key) return [label, kind];
  const isNow = (sort || "created") === key;
  const isDown = isNow && (order || (isDownFirst(key) ? "desc" : "asc")) === "desc";
  const next = isNow ? (isDown ? "asc" : "desc") : isDownFirst(key) ? "desc" : "asc";
  const sorts = h("button.sorts", {
    type: "button",
    onclick: () => ask({ sort: key, order: next, page: 1 }),
  }, label);
  return [sorts, kind, isNow && (isDown ? "descending" : "ascending")];
}

/** A box whose state is that of the list, and the name of the user. */
const who = (user, { chosen, choose }) =>
  h(
    "div.who",
    {},
    checkbox(chosen.has(user.localId), {
      "aria-label": `Choose ${nameOf(user)}`,
      oninput: ({ currentTarget }) => choose(user.localId, currentTarget.checked),
    }),
    h(
      "div",
      {},
      h("a.cut", { href: userLink(user), "data-row": "", title: nameOf(user) }, nameOf(user)),
      user.displayName && user.displayName !== nameOf(user) &&
        h("small.cut", { title: user.displayName }, user.displayName),
    ),
  );

const cells = (user, view) => [
  who(user, view),
  copyButton(user.localId, user.localId, {
    class: "link plain uid cut mono",
    title: `Copy ${user.localId}`,
    "aria-label": `Copy the uid ${user.localId}`,
  }),
  h("div.cut", { title: providersOf(user) }, providersOf(user)),
  [
    user.disabled && tag("disabled", "bad"),
    user.emailVerified && tag("verified", "good"),
    user.mfaInfo?.length > 0 && tag("2 factors"),
  ],
  shortTime(user.createdAt, now()),
  shortTime(user.lastLoginAt, now()),
];

/** The table, whose rows are those of the same users as before. */
export function userTable(users, view) {
  const rows = users.map((user) =>
    part(user.localId, [user, view.chosen.has(user.localId)], () => tr(columns, cells(user, view)))
  );
  return table("Users", columns.map((column) => head(column, view)), rows, { class: "people" });
}

/** What is done with the chosen users, below the table so that it moves no row. */
export function bulkBar({ chosen, total, everywhere, setEverywhere, act }) {
  if (!chosen.size) return null;
  const ids = everywhere ? null : chosen;
  const count = everywhere ? total : chosen.size;
  return h(
    "div.bulk",
    { key: "bulk", role: "group", "aria-label": "Chosen users" },
    h("strong", {}, `${count} chosen`),
    total > chosen.size && field(
      `All ${total} that match`,
      checkbox(everywhere, {
        oninput: ({ currentTarget }) => setEverywhere(currentTarget.checked),
      }),
    ),
    button("Disable", () => act("disable", "disabled", ids)),
    button("Enable", () => act("enable", "enabled", ids)),
    button("End sessions", () => act("revokeSessions", "signed out", ids)),
    copyButton("Copy uids", () => [...chosen].join("\n")),
    dangerous(
      "Delete",
      `${plural(count, "user")} will be deleted.`,
      () => act("delete", "deleted", ids),
      { "aria-label": "Delete chosen" },
    ),
  );
}
