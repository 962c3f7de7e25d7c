// The project as a whole: its seed as a file, and its end.

import { call, own, text } from "../core/api.js";
import { actions, button, dangerous, download, h, hint, say } from "../core/ui.js";

export async function wholeProject({ root, project }) {
  root.append(
    h("h2", {}, "Seed"),
    hint("Users, documents and settings in a file that hearth --seed reads."),
    actions(
      button(
        "Download the seed",
        async () => download(`${project}.seed.json`, await text("GET", own(project, "seed"))),
      ),
    ),
    h("h2", {}, "Delete"),
    hint("A project exists again as soon as it is used."),
    actions(
      dangerous(
        "Delete the project",
        `Users, mails, documents, settings, snapshots, faults and requests of ${project} will be deleted. This cannot be undone.`,
        async () => {
          await call("DELETE", `/emulator/v1/projects/${encodeURIComponent(project)}`);
          say("The project is empty.");
        },
      ),
    ),
  );
}
