// Where the focus goes when what had it is gone: deleted, drawn again, or a dialog about it closed.

const stops = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';
const stopsOf = (place) => [...place.querySelectorAll(stops)];
const nameOf = (element) => element.ariaLabel || element.name || element.textContent;

/** What had the focus last outside of dialogs and messages, and where it was in all around it. */
let last = null;
/** Whether the focus has been in a dialog or a message since. */
let isLent = false;

function note({ target }) {
  if (target.closest("dialog, #toasts")) {
    isLent = true;
    return;
  }
  const around = [];
  for (let one = target.parentElement; one?.id !== "main" && one; one = one.parentElement) {
    around.push({ one, index: stopsOf(one).indexOf(target) });
  }
  last = { target, name: nameOf(target), around, isBulk: Boolean(target.closest(".bulk")) };
  isLent = false;
}

/** The same in what was drawn again, or what has taken its place. */
function heirOf({ target, name, around, isBulk }) {
  for (const { one, index } of around) {
    const all = one.isConnected
      ? stopsOf(one).filter((stop) => stop.checkVisibility({ visibilityProperty: true }))
      : [];
    if (!all.length) continue;
    if (isBulk) return all.find((stop) => stop.closest("tbody, .list")) ?? all[0];
    const distance = (stop) => Math.abs(all.indexOf(stop) - index);
    const [same] = all.filter((stop) => stop.tagName === target.tagName && nameOf(stop) === name)
      .sort((a, b) => distance(a) - distance(b));
    return same ?? all[Math.min(index, all.length - 1)];
  }
  return null;
}

function restore() {
  if (!last || document.activeElement !== document.body) return;
  if (document.querySelector("dialog[open]")) return;
  if (last.target.isConnected && !isLent) return;
  const heir = last.target.isConnected ? last.target : heirOf(last);
  isLent = false;
  last = null;
  heir?.focus({ preventScroll: true });
}

/** Has the focus never be lost. Those who leave a control by themselves get none. */
export function keepFocus() {
  document.addEventListener("focusin", note);
  document.addEventListener("focusout", ({ target }) =>
    setTimeout(() => {
      const isLeft = document.activeElement === document.body && target === last?.target;
      if (isLeft && target.isConnected && !isLent) last = null;
    }));
  new MutationObserver(restore).observe(document.body, { childList: true, subtree: true });
}
