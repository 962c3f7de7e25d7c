// App Check: which calls production would refuse, the project's apps and debug tokens, the switches.

import { call, own } from "../core/api.js";
import {
  actions,
  button,
  buttonsHead,
  dangerous,
  dialog,
  field,
  fill,
  h,
  hint,
  input,
  say,
  select,
  table,
} from "../core/ui.js";
import { undoable } from "../core/undo.js";
import { callerOf } from "../requests/entry.js";
import { choiceWords, optionsOf } from "./choices.js";

const switches = [
  ["auth", "appCheckAuth", "Auth without a token"],
  ["firestore", "appCheckFirestore", "Firestore without a token"],
  ["replay", "appCheckReplay", "Tokens used a second time"],
  ["attestation", "appCheckAttestation", "Attestations of apps"],
];

const reportOf = ({ calls, ...numbers }) => [
  h(
    "p",
    {},
    `${numbers.verified} verified, ${numbers.invalid} invalid, ${numbers.outdatedClient} of ` +
      `outdated clients, ${numbers.unknownOrigin} of unknown origin; ${numbers.refused} refused.`,
  ),
  calls.length > 0 && table(
    "Calls",
    [["Operation"], ["Caller"], ["Verified"], ["Not verified"], ["Why"]],
    calls.map((each) => [
      h("code", {}, each.operation),
      h("span", { title: each.caller }, callerOf(each)),
      String(each.verified),
      String(each.invalid + each.outdatedClient + each.unknownOrigin),
      each.verdict ?? "",
    ]),
  ),
];

const debugTokens = (project, app) =>
  `/firebaseappcheck.googleapis.com/v1/projects/${encodeURIComponent(project)}/apps/${
    encodeURIComponent(app)
  }/debugTokens`;

// `crypto.randomUUID` is missing on pages that came over plain HTTP from another machine.
const uuid = () =>
  "10000000-1000-4000-8000-100000000000".replace(/[018]/g, (digit) => {
    const random = crypto.getRandomValues(new Uint8Array(1))[0] & (15 >> (+digit / 4));
    return (+digit ^ random).toString(16);
  });

/** Registers the secret of a debug build. The one proposed is a UUID, as SDKs make them. */
function register(project, [known], registered) {
  const app = input({ value: known ?? "", required: true, placeholder: "1:1234567890:web:abc" });
  const name = input({ required: true });
  const secret = input({ value: uuid(), required: true });
  dialog(
    "Register a debug token",
    [
      field("App id", app),
      field("Name", name),
      field("Debug token", secret, "It is not shown again."),
    ],
    "Register",
    async () => {
      const body = { displayName: name.value, token: secret.value };
      await call("POST", debugTokens(project, app.value), { body, admin: true });
      say("The debug token is registered.");
      await registered();
    },
  );
}

/** A choice of a switch, which is saved when it changes. */
function chooser(project, state, [member, name, title]) {
  const element = select(optionsOf(name), state[member], { title: name });
  element.addEventListener("change", async () => {
    const put = (value) => call("PATCH", own(project, "switches"), { body: { [name]: value } });
    await put(element.value);
    say(`${title}: ${choiceWords(name, element.value)}`, () => put(state[member]));
  });
  return field(title, element);
}

async function removeToken(project, { app, id }, load) {
  const path = `${debugTokens(project, app)}/${encodeURIComponent(id)}`;
  const work = () => call("DELETE", path, { admin: true });
  const undo = await undoable(project, "delete-debug-token", work);
  await load();
  say("Debug token deleted.", undo);
}

const tokenList = (project, tokens, load) =>
  tokens.length
    ? table(
      "Debug tokens",
      [["App"], ["Name"], buttonsHead()],
      tokens.map((token) => [
        h("code", {}, token.app),
        token.displayName,
        dangerous(
          "Delete",
          `${token.displayName} no longer counts as registered.`,
          () => removeToken(project, token, load),
        ),
      ]),
    )
    : hint("None is registered.");

const page = (project, state, { load, clear }) =>
  h(
    "div",
    {},
    h("h2", {}, "Enforcement"),
    h("div.grid", {}, switches.map((one) => chooser(project, state, one))),
    h("h2", {}, "Report"),
    ...reportOf(state.report),
    actions(
      button("Refresh", load),
      dangerous(
        "Clear the report",
        "The numbers start again at 0. This cannot be undone.",
        clear,
      ),
    ),
    h("h2", {}, "Apps"),
    state.apps.length > 0
      ? h("ul", {}, ...state.apps.map((app) => h("li", {}, h("code", {}, app))))
      : hint("An app is listed once it has a debug token or a provider."),
    h("h2", {}, "Debug tokens"),
    tokenList(project, state.debugTokens, load),
    actions(button("Register a debug token", () => register(project, state.apps, load))),
  );

export async function show({ root, project, signal, hear }) {
  const path = own(project, "appCheck");
  const place = h("div");
  const load = () =>
    fill(
      place,
      async () => page(project, await call("GET", path, { signal }), { load, clear }),
    );
  const clear = async () => {
    await call("DELETE", path);
    await load();
  };
  root.append(place);
  hear((event) => {
    if (["switches.changed", "appCheck.changed", "sync"].includes(event)) load();
  });
  await load();
}
