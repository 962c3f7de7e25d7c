// The project's switches between the official emulator and production.

import { call, own } from "../core/api.js";
import { checkbox, fail, field, h, hint, input, say, select } from "../core/ui.js";

const choices = {
  answers: ["emulator", "production"],
  limits: ["emulator", "production"],
  indexes: ["off", "warn", "enforce"],
  timeToLive: ["immediate", "delayed", "never"],
  transactions: ["emulator", "pessimistic", "optimistic"],
  appCheckAuth: ["off", "monitor", "enforce"],
  appCheckFirestore: ["off", "monitor", "enforce"],
  appCheckReplay: ["off", "monitor", "enforce"],
  appCheckAttestation: ["accept", "registered", "refuse", "quota", "slow"],
};

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
  silentProviders: "Let providers sign in without a session where they are asked to be silent",
  providerPages: "Sign in with providers by their pages",
  passwordResetCodeLifetime: "Lifetime of a password-reset code, in seconds",
  verificationCodeLifetime: "Lifetime of a verification code, in seconds",
  emailLinkCodeLifetime: "Lifetime of a sign-in link, in seconds",
  smsCodeLifetime: "Lifetime of a code in a text message, in seconds",
  wrongPasswordLimit: "Wrong passwords until an account is blocked",
  passwordResetLimit: "Password-reset mails to one account",
  signUpLimit: "Accounts that an IP address makes in an hour",
  rateLimitWindow: "Window in which attempts are counted, in seconds",
  timeToLiveDelay: "Delay of the deletion of expired documents, in seconds",
  answers: "Answers: as the official emulator or as production",
  limits: "Limits of Firestore: as the official emulator or as production",
  indexes: "What happens to a query that needs a missing index",
  timeToLive: "When expired documents are deleted",
  transactions: "How Firestore transactions lock documents",
  appCheckAuth: "Calls of Auth without a token of App Check",
  appCheckFirestore: "Calls of Firestore without a token of App Check",
  appCheckReplay: "Limited-use tokens of App Check that were used before",
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
      name in choices
        ? select(choices[name].map((choice) => [choice]), value)
        : input({ maxLength: 100, value }),
    read: ({ value }) => value,
    show: (element, value) => element.value = value,
  },
};

/** The control of a switch, which is saved when it changes. */
function control(path, name, first) {
  const { make, read, show } = kinds[typeof first];
  let value = first;
  const element = make(value, name);
  const put = async (wanted) => {
    await call("PATCH", path, { body: { [name]: wanted } });
    value = wanted;
    show(element, value);
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
  return field(words[name] ?? name, element, name);
}

function page(path, found) {
  const of = (kind) =>
    // deno-lint-ignore valid-typeof
    found.filter(([, value]) => typeof value === kind)
      .map(([name, value]) => control(path, name, value));
  return [
    hint(
      "Each switch chooses between the official emulator and production. Changes take effect " +
        "at once.",
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
