// The server's movable clock.

import { call, noteClock, now, own, readClock } from "../core/api.js";
import { linkTo } from "../core/routes.js";
import { typeName } from "../mailbox/state.js";
import {
  actions,
  announce,
  button,
  facts,
  field,
  form,
  h,
  heading,
  hint,
  input,
  offsetWords,
  paced,
  rest,
  span,
  table,
  time,
} from "../core/ui.js";

const written = "-?(\\d+(ms|[smhdw]))+|-?P[0-9DTHMS.W]+";

const steps = [
  ["+1 minute", "PT1M"],
  ["+1 hour", "PT1H"],
  ["+1 day", "PT24H"],
  ["+1 week", "PT168H"],
  ["+30 days", "PT720H"],
];

const kinds = {
  oobCode: "Code in a mail",
  smsCode: "Code in a text message",
  idToken: "ID token",
  totpSession: "TOTP session",
  temporaryProof: "Proof of a phone number",
  documents: "Documents by their time to live",
};

/** The documents of a collection group: `users: 3`, `logs of archive: at least 10000`. */
function documents(group, { database, count, countIsLowerBound }) {
  const place = database === "(default)" ? group : `${group} of ${database}`;
  return `${place}: ${countIsLowerBound ? "at least " : ""}${count}`;
}

/** What expires next; a click moves the clock to the second after that. */
const expiry = ({ kind, at, subject, detail, localId, ...rest }, move) => [
  [
    kinds[kind] ?? kind,
    detail && h("small", { title: detail }, typeName({ type: detail })),
  ],
  localId
    ? h("a.cut", { href: linkTo("users", [localId]), title: subject }, subject ?? localId)
    : h("div.cut", {}, rest.count === undefined ? subject : documents(subject, rest)),
  span(Date.parse(at) - now()),
  time(at),
  button(
    "Let it expire",
    () => move("PATCH", { now: new Date(Date.parse(at) + 1000).toISOString() }),
    { class: "slim" },
  ),
];

const expiries = (upcoming, move) =>
  upcoming.length
    ? table(
      "What expires next",
      [["What"], ["Whose"], ["In"], ["At", "wide"], [h("span.unseen", {}, "Move")]],
      upcoming.map((one) => expiry(one, move)),
      { class: "expiries" },
    )
    : hint("Nothing.");

/** The time in this time zone and in UTC. */
function words(date) {
  const inWords = date.toLocaleString(undefined, { dateStyle: "full", timeStyle: "medium" });
  return [
    h("time", { datetime: date.toISOString() }, inWords),
    " ",
    h("small", {}, `${date.toISOString().slice(0, 19)}Z`),
  ];
}

/** The forms for another time. */
function forms(move, moment) {
  const step = input({ required: true, placeholder: "2h30m", pattern: written });
  return h(
    "div.grid",
    {},
    form(
      field("Move by", step, "2h30m or PT2H30M; -1h goes back"),
      "Move",
      () => move("PATCH", { advance: step.value }),
      "",
    ),
    form(
      field("Set to", moment, "In your own time zone"),
      "Set",
      () => move("PATCH", { now: new Date(moment.value).toISOString() }),
      "",
    ),
  );
}

class Clock {
  isFrozen = false;
  face = h("p.clock-face");
  about = h("div");
  next = h("div");
  back = button("Back to real time", () => this.move("DELETE"));
  moment = input({ type: "datetime-local", step: 1, required: true });
  freeze = button("Freeze", () => this.move("PATCH", { frozen: !this.isFrozen }));

  constructor({ root, project, signal }) {
    Object.assign(this, { root, project, signal });
  }

  move = async (method, body) => {
    const answer = await call(method, own(this.project, "clock"), { body });
    this.take(answer.now ? answer : await readClock(this.project));
    announce(`The server's clock says ${this.face.textContent}`);
  };

  async readNext() {
    const path = own(this.project, "clock:upcoming?limit=50");
    const { upcoming } = await call("GET", path, { signal: this.signal }).catch(() => ({}));
    if (!upcoming) return;
    this.next.replaceChildren(heading("What expires next"), expiries(upcoming, this.move));
  }

  take(state) {
    noteClock(state);
    this.about.replaceChildren(facts([
      ["Offset", offsetWords(state.offset) || "none: this is the real time"],
      ["Frozen", state.frozen ? "yes" : "no"],
    ]));
    this.freeze.textContent = state.frozen ? "Unfreeze" : "Freeze";
    this.isFrozen = state.frozen;
    rest(this.back, !state.frozen && !offsetWords(state.offset));
    const zone = new Date(now()).getTimezoneOffset() * 60000;
    this.moment.value = new Date(now() - zone).toISOString().slice(0, 19);
    this.tick();
  }

  tick() {
    this.face.replaceChildren(...words(new Date(now())));
  }

  place() {
    const { move } = this;
    this.root.append(
      this.face,
      this.about,
      actions(
        steps.map(([label, advance]) => button(label, () => move("PATCH", { advance }))),
        this.freeze,
        this.back,
      ),
      forms(move, this.moment),
      hint("Tokens, codes, sessions and times to live expire by this clock."),
      this.next,
    );
  }
}

export async function show(context) {
  const { project, signal, hear } = context;
  const view = new Clock(context);
  view.take(await readClock(project, signal));
  view.place();
  view.readNext();
  const readSoon = paced(() => view.readNext(), 500);
  hear(async (event, data) => {
    if (/^(clock|sync|poll|message|code|user)/.test(event)) readSoon();
    if (!/^(clock|sync|poll)/.test(event)) return;
    const state = data?.now ? data : await readClock(project, signal).catch(() => null);
    if (state) view.take(state);
  });
  const timer = setInterval(() => view.tick(), 1000);
  signal.addEventListener("abort", () => clearInterval(timer));
}
