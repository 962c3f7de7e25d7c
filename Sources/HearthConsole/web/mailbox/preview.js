// A mail as its reader sees it, on a desktop, on a phone, light and dark.

import { button, h } from "../core/ui.js";

/** Puts the address of an attachment in the place of a picture of the mail itself. */
function withPictures(html, pictures) {
  return html.replace(/\bcid:([^"'\s>)]+)/gi, (whole, id) => {
    let name = id;
    try { name = decodeURIComponent(id); } catch { /* it stays as it is */ }
    return pictures.get(name) ?? whole;
  });
}

/**
 * The mail in a frame. Nothing in the frame can run, and it inherits this page's policy, which drops
 * inline styles; so those are put back from here, where they can do nothing but style.
 */
function frame(title, source, pictures) {
  const sheets = [];
  const html = withPictures(source, pictures)
    .replace(/<style\b[^>]*>([^]*?)<\/style>/gi, (_, text) => { sheets.push(text); return ""; })
    .replace(/(<[^>]*\s)style(\s*=)/gi, "$1data-style$2");
  const element = h("iframe", {
    title,
    srcdoc: html,
    sandbox: "allow-same-origin allow-popups allow-popups-to-escape-sandbox",
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
      const { bottom } = inside.body.getBoundingClientRect();
      element.style.height = `${Math.min(Math.max(bottom + 40, 160), 900)}px`;
    },
  });
  return element;
}

const kept = { width: "Desktop", scheme: "System" };

/** A group of buttons of which one is pressed. */
function choice(label, options, key, apply) {
  const buttons = options.map((name) => button(name, () => {
    kept[key] = name;
    draw();
  }, { class: "slim" }));

  function draw() {
    buttons.forEach((element, index) => {
      element.ariaPressed = String(options[index] === kept[key]);
    });
    apply(kept[key]);
  }
  draw();
  return h("span.choice", { role: "group", "aria-label": label }, buttons);
}

export function preview(message, address) {
  const pictures = new Map((message.attachments ?? []).filter(({ cid }) => cid).map(({ cid,
      id }) => [
      cid.replace(/^<|>$/g, ""), `${address}/attachments/${encodeURIComponent(id)}`
    ]));
  const inner = frame(`The message “${message.subject}”`, message.html, pictures);
  const place = h("div.stage", {}, inner);
  return [h("p.actions.choices", {},
    choice("Width", ["Desktop", "Phone"], "width", (name) => place.classList.toggle("phone",
      name === "Phone")),
    choice("Colours", ["System", "Light", "Dark"], "scheme", (name) => {
      inner.style.colorScheme = name === "System" ? "" : name.toLowerCase();
    })), place];
}
