// Accounts: found, made, changed, ended.

import { linkTo } from "../core/routes.js";
import { h, paced } from "../core/ui.js";
import { showList } from "./list.js";
import { newUser } from "./create.js";
import { showUser } from "./user.js";

const creating = "+new";

export async function show({ root, project, path, params: asked, signal, hear, retitle }) {
  let refresh = null;
  let listParams = new URLSearchParams();
  const go = async ([localId], params = new URLSearchParams(), moves = true) => {
    retitle(localId);
    // What is still being read for the place before is not shown any more.
    const place = h("div.view");
    root.replaceChildren(place);
    refresh = null;
    if (localId === undefined) {
      listParams = params;
      const reload = await showList({ root: place, project, params, signal });
      if (place.isConnected) refresh = reload;
    } else {
      place.append(h(
        "p.back",
        {},
        h("a", { href: linkTo("users", [], Object.fromEntries(listParams)) }, "All users"),
      ));
      if (localId === creating) await newUser(place, project, params.get("tenant") ?? "", signal);
      else {
        const reload = await showUser(place, project, localId, params.get("tenant") ?? "", signal);
        if (place.isConnected) refresh = reload;
      }
    }
    if (moves) place.querySelector("h2, input")?.focus();
  };
  const soon = paced(() => refresh?.(), 300);
  hear((event) => {
    if (/^(user|sync)/.test(event)) soon();
  });
  await go(path, asked, false);
  return go;
}
