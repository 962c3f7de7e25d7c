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

export async function switches({ root, project, signal, hear }) {
  const path = own(project, "switches");

  // Each shows and tells the value that an element holds.
  const kinds = {
    boolean: { make: checkbox, read: (element) => element.checked },
    number: {
      make: (value) => input({ type: "number", min: 1, max: 1e9, required: true, value }),
      read: (element) => Number(element.value),
    },
    string: {
      make: (
        value,
        name,
      ) => (name in choices
        ? select(choices[name].map((choice) => [choice]), value)
        : input({ maxLength: 100, value })),
      read: (element) => element.value,
    },
  };

  function control([name, value]) {
    const { make, read } = kinds[typeof value];
    const element = make(value, name);
    element.addEventListener("change", async () => {
      if (!element.reportValidity()) return;
      const before = value;
      const show = () => {
        if (typeof value === "boolean") element.checked = value;
        else element.value = value;
      };
      const put = async (wanted) => {
        await call("PATCH", path, { body: { [name]: wanted } });
        value = wanted;
        show();
      };
      try {
        await put(read(element));
        say("Saved.", () => put(before));
      } catch (error) {
        show();
        fail(error);
      }
    });
    return field(words[name] ?? name, element, name);
  }

  const isInUse = () => root.contains(document.activeElement);

  async function load() {
    const found = Object.entries(await call("GET", path, { signal }));
    // Not while one is typing.
    if (isInUse()) return;
    // deno-lint-ignore valid-typeof
    const of = (kind) => found.filter(([, value]) => typeof value === kind).map(control);
    root.replaceChildren(
      hint(
        "Each switch chooses between the official emulator and production. Changes take effect " +
          "at once.",
      ),
      h("fieldset", {}, h("legend", {}, "Switches"), of("boolean")),
      h("fieldset", {}, h("legend", {}, "Modes"), h("div.grid", {}, of("string"))),
      h("fieldset", {}, h("legend", {}, "Numbers"), h("div.grid", {}, of("number"))),
    );
  }
  hear((event) => {
    if (/^(switches|sync)/.test(event) && !isInUse()) load();
  });
  await load();
}
