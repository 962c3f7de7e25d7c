// The versions that a document had, as far as the server remembers them, and a way back to each.

import { call, own } from "../core/api.js";
import { linkTo } from "../core/routes.js";
import { button, fill, h, hint, say, table, time } from "../core/ui.js";
import { changes } from "./changes.js";
import { cell } from "./results.js";
import { saveDocument } from "./saving.js";

const most = 20;

/** The moment before a time, to the microsecond. */
export function before(moment) {
  const [, seconds, fraction = ""] = /^(.*?)(?:\.(\d+))?Z$/.exec(moment);
  const all = BigInt(Date.parse(`${seconds}Z`)) * 1000n + BigInt(fraction.padEnd(6, "0")) - 1n;
  const whole = new Date(Number(all / 1000n)).toISOString().slice(0, 19);
  return `${whole}.${String(all % 1000000n).padStart(6, "0")}Z`;
}

/** The versions before this one, newest first; `isWhole` says whether the first one is among them. */
async function versionsOf(db, path, newest) {
  const versions = [newest];
  while (versions.length < most) {
    try {
      versions.push(await db.get(path, before(versions.at(-1).updateTime)));
    } catch (error) {
      // The server does not keep older versions.
      return { versions, isWhole: error.status === 404 };
    }
  }
  return { versions, isWhole: false };
}

/** The requests for this document, of which some may have written it. */
async function writersOf(db, path) {
  const query = new URLSearchParams({ q: path.join("/"), all: true });
  const { requests = [] } = await call("GET", own(db.project, `requests?${query}`), {
    signal: db.signal,
  }).catch(() => ({}));
  return requests.filter(({ method, status }) => method !== "GET" && status < 400);
}

/** The one that was made when a version was written, if the log has it. */
function writerAt(writers, { updateTime }) {
  const near = ({ time: at }) => Math.abs(Date.parse(at) - Date.parse(updateTime)) < 250;
  const found = writers.filter(near);
  return found.length === 1 &&
    h("a", { href: linkTo("requests", [found[0].id], { all: 1 }) }, `request ${found[0].id}`);
}

const difference = ({ path, before: was, after: is }) =>
  h(
    "div.difference",
    {},
    h("code", {}, path),
    " ",
    was === undefined ? "" : [h("del", {}, cell(was)), " "],
    is === undefined ? h("em", {}, "removed") : h("ins", {}, cell(is)),
  );

const row = (version, { older, isWhole, writers, isNow, restore }) => {
  const differences = older ? changes(older.fields ?? {}, version.fields ?? {}) : [];
  const first = isWhole ? "Created" : "The oldest version that is remembered";
  return [
    [time(version.updateTime), writerAt(writers, version)],
    older ? differences.map(difference) : first,
    isNow ? "Now" : button("Restore", () => restore(version), {
      class: "slim",
      "aria-label": `Restore the version of ${version.updateTime}`,
    }),
  ];
};

/** The versions up to the newest, as a table. */
async function versionTable(db, path, newest, restore) {
  if (!newest?.updateTime) return hint("The document is not there.");
  const [{ versions, isWhole }, writers] = await Promise.all([
    versionsOf(db, path, newest),
    writersOf(db, path),
  ]);
  return table(
    "Versions",
    [["Written"], ["What changed"], [h("span.unseen", {}, "Restore")]],
    versions.map((version, index) =>
      row(version, { older: versions[index + 1], isWhole, writers, isNow: index === 0, restore })
    ),
  );
}

/**
 * A part that is opened. `now()` answers the document of the server; `restored` is called after it
 * became an older version; `changed()` says that there is another.
 */
export function historyOf(db, path, { now, restored }) {
  const place = h("div");
  const element = h(
    "details.history",
    { ontoggle: () => changed() },
    h("summary", {}, "History"),
    place,
  );
  let shown = "";

  async function restore(version) {
    const known = now();
    const outcome = await saveDocument(db, path, {
      known,
      target: known,
      fields: version.fields ?? {},
      given: [],
    });
    if (outcome.isOvertaken) throw new Error("Not restored: the document has just changed.");
    await restored();
    say("The document is as it was.", async () => {
      await outcome.undo();
      await restored();
    });
  }

  /** Reads the versions, if they are looked at and there is another one. */
  function changed() {
    const wanted = now()?.updateTime ?? "";
    if (!element.open || wanted === shown) return;
    shown = wanted;
    fill(place, () => versionTable(db, path, now(), restore));
  }
  return { element, changed };
}
