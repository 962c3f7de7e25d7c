// What is not as usual: a moved clock, faults, rules of the console, answers of production. Each has
// a chip in the header that leads to its place, and undoes it.

import { call, own } from "../core/api.js";
import { linkTo } from "../core/routes.js";
import { button, h, icon, offsetWords, paced, plural, say } from "../core/ui.js";
import { withFaults } from "../core/undo.js";

const place = document.getElementById("state");

/** How far a clock is off, as on its page; nothing for a clock that tells the time. */
const offsetOf = ({ frozen, offset }) =>
  [frozen && "Frozen", offsetWords(offset)].filter(Boolean).join(", ");

/** What a fault does that no preset does. */
const plain = ({ hits: _, remaining: __, ...fault }) => JSON.stringify(fault);

/** The name of the preset that these faults are; their number for others. */
function nameOf(faults, presets) {
  const wanted = faults.map(plain).join();
  const preset = presets.find((one) => one.faults.map(plain).join() === wanted);
  return preset?.title ?? preset?.name ?? plural(faults.length, "fault");
}

function chip({ mark, words, title, view, kind = "warn", undo, label }) {
  return h(
    "span.chip",
    { "data-kind": kind },
    h("a", { href: linkTo(view), title }, icon(mark), words),
    undo && button(icon("close"), undo, { "aria-label": label, title: label }),
  );
}

const clockChip = ({ clock }, { undone }) => {
  const offset = clock && offsetOf(clock);
  return offset && chip({
    mark: clock.frozen ? "frozen" : "clock",
    words: offset,
    title: "The clock of the project is not the real time",
    view: "clock",
    undo: undone("DELETE", "clock", "The clock tells the real time."),
    label: "Back to real time",
  });
};

const faultChip = ({ faults, presets }, { project }) =>
  faults.length > 0 && chip({
    mark: "faults",
    words: nameOf(faults, presets),
    title: "The server fails on purpose",
    view: "faults",
    undo: () => withFaults(project, "All faults are removed.", (path) => call("DELETE", path)),
    label: "Remove all faults",
  });

const ruleChip = ({ rules }, { undone }) =>
  rules?.source === "set" && chip({
    mark: "rules",
    words: "Rules set here",
    title: "The rules were set in the console or over an endpoint; no file is followed",
    view: "rules",
    kind: "quiet",
    undo: undone("DELETE", "rules", "The rules that were set are gone.", undefined, {
      rules: rules.rules,
    }),
    label: rules.inherited?.source === "file"
      ? "Follow the file of rules again"
      : "Take these rules away",
  });

const answersChip = ({ switches }, { undone }) =>
  switches.answers === "production" && chip({
    mark: "profile",
    words: "As production",
    title: "Answers as production was recorded",
    view: "settings",
    kind: "quiet",
    undo: undone("PATCH", "switches", "Answers as the official emulator.", {
      answers: "emulator",
    }, { answers: "production" }),
    label: "Answer as the official emulator",
  });

/** Sends what takes a state back, and offers to bring it again where `before` is known. */
const undoneIn = (project) => (method, rest, words, body, before) => async () => {
  const put = (verb, content) => call(verb, own(project, rest), { body: content });
  await put(method, body);
  say(words, before && (() => put(method === "DELETE" ? "PUT" : method, before)));
};

/** What reads each of the states. */
function readsOf(project, signal) {
  const get = (path) => call("GET", path, { signal });
  return {
    clock: () => get(own(project, "clock")),
    faults: async () => (await get(own(project, "faults"))).faults ?? [],
    presets: async () => (await get("/emulator/v1/faultPresets")).presets ?? [],
    rules: () => get(own(project, "rules")),
    switches: () => get(own(project, "switches")),
  };
}

/** Keeps the chips of a project as they are; answers what hears its events. */
export function watchState(project, signal) {
  const known = { clock: null, faults: [], presets: [], rules: null, switches: {} };
  const context = { project, undone: undoneIn(project) };
  const chips = [clockChip, faultChip, ruleChip, answersChip];
  const draw = () =>
    place.replaceChildren(...chips.map((one) => one(known, context)).filter(Boolean));
  const reads = readsOf(project, signal);
  /** What a server lacks, or does not tell, has no chip. */
  const read = (...names) =>
    paced(async () => {
      await Promise.allSettled(names.map(async (name) => {
        known[name] = await reads[name]();
      }));
      if (!signal.aborted) draw();
    }, 300);
  const soon = {
    clock: read("clock"),
    faults: read("faults", "presets"),
    rules: read("rules"),
    switches: read("switches"),
    sync: read(...Object.keys(reads)),
  };
  place.replaceChildren();
  return (event, data) => {
    // One event tells the clock itself.
    if (event === "clock.changed" && data.now) {
      known.clock = data;
      draw();
    } else soon[event.split(".")[0]]?.();
  };
}
