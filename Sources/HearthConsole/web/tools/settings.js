// What is set for a project.

import { linkTo } from "../core/routes.js";
import { fill, h } from "../core/ui.js";
import { mailRules } from "./mailrules.js";
import { passwords } from "./passwords.js";
import { wholeProject } from "./project.js";
import { providers } from "./providers.js";
import { snapshots } from "./snapshots.js";
import { switches } from "./switches.js";
import { templates } from "./templates.js";
import { tenants } from "./tenants.js";

const pages = {
  switches: ["Switches", switches],
  tenants: ["Tenants", tenants],
  providers: ["Providers", providers],
  passwords: ["Password policy", passwords],
  templates: ["Templates", templates],
  mailRules: ["Mail rules", mailRules],
  snapshots: ["Snapshots", snapshots],
  project: ["Project", wholeProject],
};

export async function show({ root, project, path: [first], signal, hear, retitle }) {
  const nav = h("nav.tabs", { "aria-label": "Settings" });
  const place = h("div");
  root.append(nav, place);
  let listeners = [];
  hear((...event) => listeners.forEach((work) => work(...event)));

  async function go([name = "switches"]) {
    const [title, page] = pages[name] ?? pages.switches;
    nav.replaceChildren(
      ...Object.entries(pages).map(([key, [label]]) =>
        h("a", {
          href: linkTo("settings", key === "switches" ? [] : [key]),
          "aria-current": label === title && "page",
        }, label)
      ),
    );
    nav.querySelector("[aria-current]").scrollIntoView({ block: "nearest", inline: "nearest" });
    retitle(title === "Switches" ? "" : title);
    listeners = [];
    const inner = h("div");
    place.replaceChildren(inner);
    try {
      await page({ root: inner, project, signal, hear: (work) => listeners.push(work) });
    } catch (error) {
      fill(inner, () => {
        throw error;
      });
    }
  }
  await go([first]);
  return go;
}
