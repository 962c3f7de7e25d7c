// A mail as its reader sees it, on a desktop, on a phone, light and dark.

import { button, h, plural } from "../core/ui.js";

const sandbox = "allow-same-origin allow-popups allow-popups-to-escape-sandbox";

function fit(element) {
  const { bottom } = element.contentDocument.body.getBoundingClientRect();
  element.style.height = `${Math.min(Math.max(bottom + 40, 160), 900)}px`;
}

/**
 * HTML in a frame where nothing can run. It inherits this page's policy, which drops inline styles: they
 * are put back from here.
 */
function draftFrame(title, source) {
  const sheets = [];
  const html = source
    .replace(/<style\b[^>]*>([^]*?)<\/style>/gi, (_, text) => {
      sheets.push(text);
      return "";
    })
    .replace(/(<[^>]*\s)style(\s*=)/gi, "$1data-style$2");
  const element = h("iframe", {
    title,
    srcdoc: html,
    sandbox,
    onload: () => {
      const { contentDocument: inside, contentWindow: { CSSStyleSheet } } = element;
      for (const link of inside.links) link.target = "_blank";
      for (const styled of inside.querySelectorAll("[data-style]")) {
        styled.style.cssText = styled.dataset.style;
      }
      inside.adoptedStyleSheets = sheets.map((text) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(text);
        return sheet;
      });
      fit(element);
    },
  });
  return element;
}

/**
 * A message as the server cleans it, in a frame with a policy of its own. `note` is the place for what
 * was left out.
 */
function messageFrame(title, address, note) {
  const element = h("iframe", {
    title,
    src: `${address}/html`,
    sandbox,
    onload: () => {
      const inside = element.contentDocument;
      const hidden = Number(inside.querySelector("meta[name=hidden-pictures]")?.content ?? 0);
      note.replaceChildren(
        ...(hidden
          ? [
            `${plural(hidden, "picture")} of other servers ${
              hidden === 1 ? "is" : "are"
            } not loaded: those servers would learn that the mail was opened. `,
            button("Load remote pictures", () => {
              element.src = `${address}/html?images=1`;
            }, { class: "slim" }),
          ]
          : []),
      );
      note.hidden = !hidden;
      fit(element);
    },
  });
  return element;
}

const kept = { width: "Desktop", scheme: "System" };

/** A group of buttons of which one is pressed. */
function choice(label, options, key, apply) {
  const buttons = options.map((name) =>
    button(name, () => {
      kept[key] = name;
      draw();
    }, { class: "slim" })
  );

  function draw() {
    buttons.forEach((element, index) => {
      element.ariaPressed = String(options[index] === kept[key]);
    });
    apply(kept[key]);
  }
  draw();
  return h("span.choice", { role: "group", "aria-label": label }, buttons);
}

/** What is shown side by side: a narrow phone, a reading pane, and that in the dark. */
const sides = [["320 px", "light"], ["Light", "light"], ["Dark", "dark"]];

/** A message that the server has at `address`, or one that is only here. */
export function preview(message, address) {
  const title = `The message “${message.subject}”`;
  const note = h("p.notice", { hidden: true });
  const make = (
    name,
  ) => (address ? messageFrame(name, address, note) : draftFrame(name, message.html));
  const inner = make(title);
  const place = h("div.stage", {}, inner);
  const colours = choice("Colours", ["System", "Light", "Dark"], "scheme", (name) => {
    inner.style.colorScheme = name === "System" ? "" : name.toLowerCase();
  });

  function beside() {
    return sides.map(([name, scheme]) => {
      const frame = make(`${title}, ${name}`);
      frame.style.colorScheme = scheme;
      return h("figure", {}, h("figcaption", {}, name), frame);
    });
  }

  function resize(name) {
    const isBeside = name === "Side by side";
    place.classList.toggle("phone", name === "Phone");
    place.classList.toggle("beside", isBeside);
    colours.hidden = isBeside;
    if (isBeside) place.replaceChildren(...beside());
    else if (!inner.isConnected || place.childElementCount > 1) place.replaceChildren(inner);
  }
  return [
    h(
      "p.actions.choices",
      {},
      choice("Width", ["Desktop", "Phone", "Side by side"], "width", resize),
      colours,
    ),
    note,
    place,
  ];
}
