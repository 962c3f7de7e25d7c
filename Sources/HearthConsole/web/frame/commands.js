// What one can do from anywhere, by its name.

import { call, own } from "../core/api.js";
import { choose, looks } from "../core/looks.js";
import { linkTo } from "../core/routes.js";
import { copy, say } from "../core/ui.js";
import { withFaults } from "../core/undo.js";
import { nameOf } from "../users/names.js";
import { copyNewest } from "./newest.js";

const clock = (project, body, words) => async () => {
  await call(body ? "PATCH" : "DELETE", own(project, "clock"), { body });
  say(words);
};

const steps = [["1 minute", "PT1M"], ["1 hour", "PT1H"], ["1 day", "PT24H"], ["30 days", "PT720H"]];

const clockCommands = (project) => [
  ...steps.map(([words, duration]) => ({
    title: `Advance the clock by ${words}`,
    also: "time later expire",
    mark: "clock",
    isUsual: words === "1 hour",
    run: clock(project, { advance: duration }, `The clock is ${words} further.`),
  })),
  {
    title: "Freeze the clock",
    also: "time stop",
    mark: "frozen",
    run: clock(project, { frozen: true }, "The clock is frozen."),
  },
  {
    title: "Back to real time",
    also: "clock reset unfreeze",
    mark: "clock",
    run: clock(project, undefined, "The clock tells the real time."),
  },
];

async function faultCommands(project, signal) {
  const { presets = [] } = await call("GET", "/emulator/v1/faultPresets", { signal })
    .catch(() => ({}));
  return [
    ...presets.map(({ name, title = name }) => ({
      title,
      also: `fault ${name} network`,
      note: "Preset of faults",
      mark: "faults",
      isUsual: name === "offline",
      run: () =>
        withFaults(
          project,
          `The preset “${title}” is in force.`,
          () =>
            call("POST", own(project, `faultPresets/${encodeURIComponent(name)}:apply`), {
              body: {},
            }),
        ),
    })),
    {
      title: "Remove all faults",
      also: "online network",
      mark: "faults",
      run: () => withFaults(project, "All faults are removed.", (path) => call("DELETE", path)),
    },
  ];
}

const lookCommands = () =>
  Object.entries(looks).flatMap(([name, values]) =>
    values.map(([value, label]) => ({
      title: name === "theme" ? `Colours: ${label.toLowerCase()}` : `Rows: ${label.toLowerCase()}`,
      also: `${name} mode look`,
      mark: "look",
      run: () => choose(name, value),
    }))
  );

/** All commands of a project. `go` has the views with their keys, and what the page itself does. */
export const commands = async (project, go, signal) => [
  {
    title: "Copy newest code",
    also: "mail otp sms",
    mark: "copy",
    keys: "c",
    isUsual: true,
    run: () => copyNewest(project),
  },
  ...go.views.map(({ name, title, letter }) => ({
    title,
    also: "go to open",
    mark: name,
    keys: letter && `g ${letter}`,
    href: linkTo(name),
    isUsual: true,
  })),
  { title: "New user", also: "create account add", mark: "users", href: linkTo("users", ["+new"]) },
  {
    title: "Query documents",
    also: "firestore",
    mark: "firestore",
    href: "#/firestore?view=query",
  },
  { title: "Switch project", also: "change other", mark: "overview", run: go.pick },
  { title: "Keys", also: "help shortcuts keyboard", mark: "help", keys: "?", run: go.help },
  ...clockCommands(project),
  ...await faultCommands(project, signal),
  ...lookCommands(),
];

/** A duration as the clock takes it: `90 min`, `2h30m`, `1 day`. */
function durationOf(text) {
  const units = { s: "s", m: "m", h: "h", d: "d", w: "w" };
  const parts = [...text.matchAll(/(\d+)\s*([a-z]+)/gi)];
  if (!parts.length || text.replace(/(\d+)\s*[a-z]+/gi, "").replace(/[\s,]|and/g, "")) return "";
  const written = parts.map(([, count, unit]) => {
    const letter = units[unit[0].toLowerCase()];
    return letter ? count + letter : "";
  });
  return written.every(Boolean) ? written.join("") : "";
}

/** What is said in words with a value: `advance 2h`, `act as ann`. */
export function spoken(query, project) {
  const [, step = ""] = /^(?:advance|\+)\s*(.+)$/i.exec(query) ?? [];
  const duration = durationOf(step);
  const [, who = ""] = /^act as\s+(\S.*)$/i.exec(query) ?? [];
  return [
    duration && {
      title: `Advance the clock by ${step}`,
      mark: "clock",
      run: clock(project, { advance: duration }, `The clock is ${step} further.`),
    },
    who && {
      title: `Act as ${who}`,
      note: "Copies an ID token of the user",
      mark: "keys",
      run: () => actAs(project, who),
    },
  ].filter(Boolean);
}

/** Copies a token of the user that is called so. */
async function actAs(project, who) {
  const query = new URLSearchParams({ q: who, tenantId: "*", limit: "2" });
  const { userInfo = [], recordsCount } = await call("GET", own(project, `accounts?${query}`));
  const [user] = userInfo;
  if (!user) throw new Error(`No user is called “${who}”.`);
  if (Number(recordsCount) > 1 && nameOf(user) !== who && user.localId !== who) {
    throw new Error(`${recordsCount} users are called “${who}”: write more of the name.`);
  }
  const { idToken } = await call("POST", own(project, "accounts:actAs"), {
    body: { localId: user.localId, ...(user.tenantId && { tenantId: user.tenantId }) },
  });
  await copy(idToken);
  say(`Copied an ID token of ${nameOf(user)}.`);
}
