// Says that the server does not answer, until it does again.

import { h } from "../core/ui.js";

export function showBanner(isLost) {
  const place = document.getElementById("banner");
  const isShown = place.childNodes.length > 0;
  if (isLost === isShown) return;
  place.replaceChildren(
    ...(isLost
      ? [h("strong", {}, "Hearth does not answer."), " This page reconnects automatically."]
      : []),
  );
}
