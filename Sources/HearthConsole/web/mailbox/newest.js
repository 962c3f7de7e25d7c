// The newest code, large, on top of the mailbox.

import { linkTo } from "../core/routes.js";
import { copyButton, h, icon } from "../core/ui.js";
import { codeOf, countdown, isOpen, isSafe, isTyped, linkOf, typeName } from "./state.js";

/** The card of the newest code that can be used; `show` draws it, `tick` counts down. */
export function newestCode() {
  const element = h("section.newest", { "aria-label": "Newest code", hidden: true });
  const left = h("span.left", { title: "Until the code expires" });
  let message = null;

  function draw() {
    const code = codeOf(message);
    const link = linkOf(message);
    element.replaceChildren(
      h(
        "a.whose",
        { href: linkTo("mailbox", [message.id]) },
        h("b", {}, message.to),
        typeName(message) && ` · ${typeName(message)}`,
      ),
      left,
      h("code", { class: isTyped(code) ? "big" : "", title: code }, code),
      h(
        "p.actions",
        {},
        copyButton([icon("copy"), "Copy code", h("kbd", {}, "c")], code, {
          class: "primary with-icon",
          "aria-label": "Copy code",
        }),
        link && isSafe(link) && h(
          "a.button.with-icon",
          { href: link, target: "_blank", rel: "noreferrer" },
          icon("open"),
          "Open link",
        ),
      ),
    );
  }

  function tick() {
    if (!message) return;
    if (!isOpen(message)) return show([]);
    left.textContent = countdown(message);
  }

  /** Shows the first of the messages, newest first, whose code can be used. */
  function show(messages) {
    const found = messages.find((one) => codeOf(one) && isOpen(one)) ?? null;
    element.hidden = !found;
    if (found && found.id !== message?.id) {
      message = found;
      draw();
    }
    message = found;
    tick();
  }
  return { element, show, tick };
}
