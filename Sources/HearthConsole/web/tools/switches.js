// The project's switches between the official emulator and production.

import { call, own } from "../core/api.js";
import { give } from "../core/dom.js";
import { checkbox, fail, field, h, hint, input, say, select, span } from "../core/ui.js";
import { optionsOf } from "./choices.js";

const words = {
  emailEnumerationProtection: "Hide whether an e-mail address is known",
  acceptUnsignedTokens: "Accept unsigned ID tokens and custom tokens",
  tokenExpiry: "Tokens and cookies expire",
  codeExpiry: "Codes in mails and text messages expire",
  rateLimits: "Limit the number of attempts",
  recentLogin: "Require a recent sign-in for sensitive changes",
  authorizedDomains: "Allow links to authorized domains only",
  strictTenants: "Refuse unknown tenants",
  strictProviders: "Refuse providers without configuration",
  strictDevices: "Refuse push messages to devices that nobody registered",
  silentProviders: "Providers sign in silently without a session, where an app asks for that",
  providerPages: "Sign in with providers on their own pages",
  passwordResetCodeLifetime: "Lifetime of a password-reset code, in seconds",
  verificationCodeLifetime: "Lifetime of a verification code, in seconds",
  emailLinkCodeLifetime: "Lifetime of a sign-in link, in seconds",
  smsCodeLifetime: "Lifetime of a code in a text message, in seconds",
  wrongPasswordLimit: "Wrong passwords until an account is blocked",
  passwordResetLimit: "Password-reset mails to one account",
  signUpLimit: "Accounts that an IP address makes in an hour",
  rateLimitWindow: "Window in which attempts are counted, in seconds",
  timeToLiveDelay: "Delay of the deletion of expired documents, in seconds",
  answers: "Answers",
  limits: "Limits of Firestore",
  indexes: "Queries that miss an index",
  timeToLive: "Expired documents are deleted",
  transactions: "Transactions lock documents",
  appCheckAuth: "Calls of Auth without App Check",
  appCheckFirestore: "Calls of Firestore without App Check",
  appCheckReplay: "App Check tokens used a second time",
  appCheckAttestation: "Attestations of apps",
  appName: "Name of the app in mails and pages",
};

const numbers = { type: "number", min: 1, max: 1e9, required: true };
/** How each type of value is shown and read. */
const kinds = {
  boolean: {
    make: checkbox,
    read: ({ checked }) => checked,
    show: (element, value) => element.checked = value,
  },
  number: {
    make: (value) => input({ ...numbers, value }),
    read: ({ value }) => Number(value),
    show: (element, value) => element.value = value,
  },
  string: {
    make: (value, name) =>
      optionsOf(name) ? select(optionsOf(name), value) : input({ maxLength: 100, value }),
    read: ({ value }) => value,
    show: (element, value) => element.value = value,
  },
};

/** The control of a switch, which is saved when it changes. */
function control(path, name, first) {
  const { make, read, show } = kinds[typeof first];
  let value = first;
  const element = make(value, name);
  const isTime = /(Lifetime|Window|Delay)$/.test(name);
  const put = async (wanted) => {
    await call("PATCH", path, { body: { [name]: wanted } });
    value = wanted;
    show(element, value);
    if (isTime) made.querySelector("small").textContent = span(value * 1000);
  };
  element.addEventListener("change", async () => {
    if (!element.reportValidity()) return;
    const before = value;
    try {
      await put(read(element));
      say("Saved.", () => put(before));
    } catch (error) {
      show(element, value);
      fail(error);
    }
  });
  // For people the words; scripts and files have the name.
  give(element, "title", name);
  const made = field(words[name] ?? name, element, isTime && span(value * 1000));
  give(made.querySelector("label"), "title", name);
  return made;
}

function page(path, found) {
  const of = (kind) =>
    // deno-lint-ignore valid-typeof
    found.filter(([, value]) => typeof value === kind)
      .map(([name, value]) => control(path, name, value));
  return [
    hint(
      "Each switch chooses between the official emulator and production. Changes take effect " +
        "at once. The name for files and scripts is shown where the pointer rests.",
    ),
    h("fieldset", {}, h("legend", {}, "Switches"), h("div.columns-wide", {}, of("boolean"))),
    h("fieldset", {}, h("legend", {}, "Modes"), h("div.grid", {}, of("string"))),
    h("fieldset", {}, h("legend", {}, "Numbers"), h("div.grid", {}, of("number"))),
  ];
}

export async function switches({ root, project, signal, hear }) {
  const path = own(project, "switches");
  const isInUse = () => root.contains(document.activeElement);

  async function load() {
    const found = Object.entries(await call("GET", path, { signal }));
    // Not while one is typing.
    if (!isInUse()) root.replaceChildren(...page(path, found));
  }
  hear((event) => {
    if (/^(switches|sync)/.test(event) && !isInUse()) load();
  });
  await load();
}
