// What a password must look like.

import { config } from "../core/api.js";
import { checkbox, field, form, h, input, savesChanges, say, select } from "../core/ui.js";

const rules = {
  containsLowercaseCharacter: "A small letter",
  containsUppercaseCharacter: "A capital letter",
  containsNumericCharacter: "A digit",
  containsNonAlphanumericCharacter: "Another character, such as !",
};

/** The controls for a policy, and what they say. */
function controlsOf(policy) {
  const options = policy.passwordPolicyVersions?.[0]?.customStrengthOptions ?? {};
  const length = (value, max) => input({ type: "number", min: 6, max, value, required: true });
  const states = [["OFF", "Off: six characters are enough"], ["ENFORCE", "On"]];
  const state = select(states, policy.passwordPolicyEnforcementState ?? "OFF");
  const least = length(options.minPasswordLength ?? 6, 30);
  const most = length(options.maxPasswordLength ?? 4096, 4096);
  const boxes = Object.entries(rules).map(([key, label]) => [key, label, checkbox(options[key])]);
  const upgrade = checkbox(policy.forceUpgradeOnSignin);
  const read = () => ({
    passwordPolicyEnforcementState: state.value,
    forceUpgradeOnSignin: upgrade.checked,
    passwordPolicyVersions: [{
      customStrengthOptions: {
        minPasswordLength: Number(least.value),
        maxPasswordLength: Number(most.value),
        ...Object.fromEntries(boxes.map(([key, , box]) => [key, box.checked])),
      },
    }],
  });
  const fields = [
    field("Policy", state),
    h("div.grid", {}, field("At least, in characters", least), field("At most", most)),
    h(
      "fieldset",
      {},
      h("legend", {}, "Must contain"),
      boxes.map(([, label, box]) => field(label, box)),
    ),
    field("Also for users who sign in with an older password", upgrade),
  ];
  return { fields, read };
}

export async function passwords(context) {
  const { root, project, signal } = context;
  const settings = await config(project, "GET", "config", undefined, signal);
  let stored = settings.passwordPolicyConfig ?? {};
  const { fields, read } = controlsOf(stored);
  const put = async (passwordPolicyConfig) => {
    const body = { passwordPolicyConfig };
    await config(project, "PATCH", "config?updateMask=passwordPolicyConfig", body);
    stored = passwordPolicyConfig;
  };
  let saved = JSON.stringify(read());
  const element = form(fields, "Save", async () => {
    const before = stored;
    await put(read());
    saved = JSON.stringify(read());
    look();
    say("Password policy saved.", async () => {
      await put(before);
      root.replaceChildren();
      passwords(context);
    });
  });
  const look = savesChanges(element, () => JSON.stringify(read()) !== saved);
  root.append(element);
}
