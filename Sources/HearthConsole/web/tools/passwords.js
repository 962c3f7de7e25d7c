// What a password must look like.

import { config } from "../core/api.js";
import { checkbox, field, form, h, input, say, select } from "../core/ui.js";

const rules = {
  containsLowercaseCharacter: "A small letter",
  containsUppercaseCharacter: "A capital letter",
  containsNumericCharacter: "A digit",
  containsNonAlphanumericCharacter: "Another character, such as !",
};

export async function passwords(context) {
  const { root, project, signal } = context;
  const { passwordPolicyConfig: policy = {} } = await config(
    project,
    "GET",
    "config",
    undefined,
    signal,
  );
  let stored = policy;
  const put = async (passwordPolicyConfig) => {
    await config(project, "PATCH", "config?updateMask=passwordPolicyConfig", {
      passwordPolicyConfig,
    });
    stored = passwordPolicyConfig;
  };
  const again = () => {
    root.replaceChildren();
    return passwords(context);
  };
  const options = policy.passwordPolicyVersions?.[0]?.customStrengthOptions ?? {};
  const state = select(
    [["OFF", "Off: six characters are enough"], ["ENFORCE", "On"]],
    policy.passwordPolicyEnforcementState ?? "OFF",
  );
  const least = input({
    type: "number",
    min: 6,
    max: 30,
    value: options.minPasswordLength ?? 6,
    required: true,
  });
  const most = input({
    type: "number",
    min: 6,
    max: 4096,
    value: options.maxPasswordLength ??
      4096,
    required: true,
  });
  const boxes = Object.entries(rules).map(([key, label]) => [key, label, checkbox(options[key])]);
  const upgrade = checkbox(policy.forceUpgradeOnSignin);
  root.append(
    form(
      [
        field("Policy", state),
        h("div.grid", {}, field("At least, in characters", least), field("At most", most)),
        h(
          "fieldset",
          {},
          h("legend", {}, "Must contain"),
          boxes.map(([, label, box]) => field(label, box)),
        ),
        field("Also when a user with an older password signs in", upgrade),
      ],
      "Save",
      async () => {
        const fresh = {
          passwordPolicyEnforcementState: state.value,
          forceUpgradeOnSignin: upgrade.checked,
          passwordPolicyVersions: [{
            customStrengthOptions: {
              minPasswordLength: Number(least.value),
              maxPasswordLength: Number(most.value),
              ...Object.fromEntries(boxes.map(([key, , box]) => [key, box.checked])),
            },
          }],
        };
        const before = stored;
        await put(fresh);
        say("Password policy saved.", async () => {
          await put(before);
          again();
        });
      },
    ),
  );
}
