import assert from "node:assert/strict";
import { test } from "node:test";
import { document } from "./document.mjs";

const { h } = await import("../../Sources/HearthConsole/web/core/dom.js");
const { part, render } = await import("../../Sources/HearthConsole/web/core/render.js");

function place() {
  const element = h("div", {});
  document.body.append(element);
  return element;
}
const item = (name, attributes) => h("li", { key: name, ...attributes }, name);
const texts = (parent) => parent.childNodes.map((child) => child.textContent);

test("elements of the same key stay the same", () => {
  const list = place();
  render(list, ["a", "b", "c"].map((name) => item(name)));
  const [a, b, c] = list.childNodes;
  render(list, ["new", "c", "a", "b"].map((name) => item(name)));
  assert.deepEqual(texts(list), ["new", "c", "a", "b"]);
  assert.deepEqual(list.childNodes.slice(1), [c, a, b]);
  render(list, [item("b")]);
  assert.deepEqual(list.childNodes, [b]);
});

test("a row above the others moves none of them", () => {
  const list = place();
  const rows = Array.from({ length: 100 }, (_, index) => `row ${index}`);
  render(list, rows.map((name) => item(name)));
  const fresh = ["new", ...rows].map((name) => item(name));
  document.insertions = 0;
  render(list, fresh);
  assert.equal(document.insertions, 1);
});

test("what was changed by hand stays until it is given otherwise", () => {
  const form = place();
  const view = (open, value) => [
    h("details", { open }, "more"),
    h("input", { value, "aria-label": "Name" }),
  ];
  render(form, view(false, "Ann"));
  const [details, input] = form.childNodes;
  details.setAttribute("open", "");
  input.value = "Anna";
  render(form, view(false, "Ann"));
  assert.deepEqual(form.childNodes, [details, input]);
  assert.equal(details.getAttribute("open"), "");
  assert.equal(input.value, "Anna");
  render(form, view(false, "Bob"));
  assert.equal(input.value, "Bob");
  assert.equal(details.getAttribute("open"), "");
});

test("attributes and text become those of the new view", () => {
  const root = place();
  render(root, h("p.notice", { title: "one", hidden: true }, "old ", h("b", {}, "1")));
  const [paragraph] = root.childNodes;
  render(root, h("p.notice.bad", { lang: "en" }, "new ", h("b", {}, "2"), "!"));
  assert.equal(root.firstChild, paragraph);
  assert.equal(paragraph.className, "notice bad");
  assert.deepEqual([...paragraph.attributes], [["lang", "en"]]);
  assert.equal(paragraph.textContent, "new 2!");
});

test("an event goes to the newest view", () => {
  const root = place();
  const heard = [];
  const view = (name, hears = true) =>
    h("button", { onclick: hears && (() => heard.push(name)) }, "press");
  render(root, view("one"));
  root.firstChild.click();
  render(root, view("two"));
  root.firstChild.click();
  render(root, view("three", false));
  root.firstChild.click();
  assert.deepEqual(heard, ["one", "two"]);
});

test("the focus stays on an element that moves", () => {
  const list = place();
  render(list, ["a", "b", "c"].map((name) => item(name)));
  const [, , c] = list.childNodes;
  c.focus();
  render(list, ["c", "b", "a"].map((name) => item(name)));
  assert.equal(document.activeElement, c);
});

test("a part stays as it is until its state is another", () => {
  const root = place();
  let made = 0;
  const view = (state) =>
    part("graph", state, () => {
      made += 1;
      return h("canvas", {}, `made ${made}`);
    });
  render(root, view({ x: 1 }));
  const [canvas] = root.childNodes;
  canvas.append("drawn by itself");
  render(root, "above", view({ x: 1 }));
  assert.equal(root.childNodes[1], canvas);
  assert.equal(canvas.textContent, "made 1drawn by itself");
  render(root, view({ x: 2 }));
  assert.deepEqual(texts(root), ["made 2"]);
});

test("an element that is kept by the view is shown as it is", () => {
  const root = place();
  const search = h("input", { value: "a" });
  render(root, h("input", { value: "other" }), search);
  const [other] = root.childNodes;
  search.value = "typed";
  render(root, search, h("input", { value: "other" }));
  assert.deepEqual(root.childNodes, [search, other]);
  assert.equal(search.value, "typed");
});

test("what is absent is left out", () => {
  const root = place();
  render(root, null, false, "", undefined, ["a", [item("b")]], 0);
  assert.deepEqual(texts(root), ["a", "b", "0"]);
});

test("a part within a view is made once", () => {
  const root = place();
  let made = 0;
  const row = (name) =>
    part(name, name, () => {
      made += 1;
      return h("li", {}, name);
    });
  const view = (...names) => h("section", {}, h("ul", {}, names.map(row)));
  render(root, view("a", "b"));
  const [a, b] = root.firstChild.firstChild.childNodes;
  render(root, view("b", "c", "a"));
  assert.equal(made, 3);
  const [first, second, third] = root.firstChild.firstChild.childNodes;
  assert.deepEqual([first, second.textContent, third], [b, "c", a]);
});
