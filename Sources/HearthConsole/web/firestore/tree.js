// The fields of a document as a tree that is edited in place.

import { render } from "../core/render.js";
import { linkTo } from "../core/routes.js";
import { button, h, icon, input, plural, select, time } from "../core/ui.js";
import { absolute, added, closed, counted, opened, retype, typedIn } from "./edit.js";
import { holdsMore, typeOptions, types } from "./values.js";

/** So many values of a map or an array are shown at first, and more at a time. */
const shownAtOnce = 100;

const empty = { stringValue: "empty text", bytesValue: "no bytes", vector: "no numbers" };

/** Notes what was typed; the next value of a new map or array comes by itself. */
function noteTyped(node, parent, context) {
  const isOther = typedIn(node, parent);
  context.touched();
  if (isOther) context.draw();
}

function valueControl(node, parent, context) {
  const { type, text } = node;
  const take = ({ currentTarget }) => {
    node.text = currentTarget.value;
    noteTyped(node, parent, context);
  };
  const attributes = { "aria-label": "Value", oninput: take };
  if (type === "nullValue") return h("code.hint", { "aria-label": "Value" }, "null");
  if (type === "booleanValue") {
    return select([["true"], ["false"]], text, { "aria-label": "Value", onchange: take });
  }
  const isLong = text.includes("\n") || text.length > 60;
  return h(isLong ? "textarea" : "input", {
    ...attributes,
    rows: isLong && Math.min(8, Math.max(2, Math.ceil(text.length / 60))),
    spellcheck: "false",
    // An empty text is a value, and looks otherwise than none.
    placeholder: empty[type],
    value: text,
  });
}

/** Where a reference leads, when it is to a document of a database. */
function follow(text) {
  const match = /^projects\/([^/]+)\/databases\/([^/]+)\/documents\/(.+)$/.exec(text);
  return match && h("a.follow", {
    title: "Go to the document",
    "aria-label": `Go to ${match[3]}`,
    href: linkTo("firestore", match[3].split("/"), {
      db: match[2] === "(default)" ? "" : match[2],
    }),
  }, "→");
}

/** What is beside the value of some types. */
function beside({ type, text }, root) {
  if (type === "referenceValue") return follow(absolute(text, root));
  if (type !== "timestampValue" || Number.isNaN(Date.parse(text))) return null;
  return h("small.moment", {}, time(text));
}

/** What a map or an array holds: folded, or its values. */
function inner(node, path, context) {
  const isMap = node.type === "mapValue";
  const name = node.name || "it";
  const fold = (isFolded) => {
    node.isFolded = isFolded;
    context.draw();
  };
  const count = plural(counted(node.children).length, isMap ? "field" : "element");
  const toggle = node.children.length > 0 && h("button.link.fold", {
    type: "button",
    "aria-expanded": String(!node.isFolded),
    "aria-label": `${node.isFolded ? "Show" : "Hide"} what ${name} holds`,
    onclick: () => fold(!node.isFolded),
  }, [icon("chevron"), count]);
  if (node.isFolded) return toggle;
  const label = isMap ? `Add field to ${name}` : `Add element to ${name}`;
  return [toggle, h("div.group", {}, group(node, { isNamed: isMap, label, path }, context))];
}

function typeControl(node, context) {
  // A type that this console does not know stays as it is.
  const options = Object.hasOwn(types, node.type) ? typeOptions : [[node.type]];
  return select(options, node.type, {
    "aria-label": "Type",
    onchange: ({ currentTarget }) => {
      node.isSpare = false;
      retype(node, currentTarget.value);
      context.touched();
      context.draw();
    },
  });
}

const nameControl = (node, parent, context) =>
  input({
    value: node.name,
    required: !node.isSpare,
    placeholder: node.isSpare && "name",
    "aria-label": "Name",
    oninput: ({ currentTarget }) => {
      node.name = currentTarget.value;
      noteTyped(node, parent, context);
    },
  });

function row(node, index, { parent, isNamed, path, remove }, context) {
  const where = [...path, isNamed ? node.name : index];
  const name = isNamed ? `the field ${node.name}` : `element ${index}`;
  const isNested = holdsMore(node.type);
  return h(
    "fieldset.row",
    {
      key: node.key,
      "data-key": node.key,
      "data-path": where.join("."),
      class: [isNested && "nested", node.isNew && "fresh", node.isSpare && "spare"].filter(Boolean)
        .join(" "),
    },
    h("legend.unseen", {}, "Field"),
    isNamed ? nameControl(node, parent, context) : h("span.index", {}, String(index)),
    typeControl(node, context),
    h(
      "div.value",
      {},
      isNested
        ? inner(node, where, context)
        : [valueControl(node, parent, context), beside(node, context.root)],
    ),
    h("button.quiet", {
      type: "button",
      "aria-label": `Remove ${name}`,
      onclick: () => remove(node),
    }, icon("close")),
  );
}

/** The values of a map or an array, and a button that adds one. */
function group(parent, { isNamed, label, path }, context) {
  const { children } = parent;
  const limit = parent.limit ?? shownAtOnce;
  const remove = (node) => {
    parent.children.splice(parent.children.indexOf(node), 1);
    context.touched();
    context.draw();
  };
  const rows = children.slice(0, limit).map((node, index) =>
    row(node, index, { parent, isNamed, path, remove }, context)
  );
  const rest = children.length - rows.length;
  const more = () => {
    parent.limit = limit + shownAtOnce;
    context.draw();
  };
  return [
    h("div.rows", { key: "rows" }, rows),
    rest > 0 &&
    button(`Show ${Math.min(rest, shownAtOnce)} of ${rest} more`, more, { class: "slim" }),
    label && button(isNamed ? "+ field" : "+ element", () => context.add(parent, isNamed), {
      class: "slim quiet",
      "aria-label": label,
    }),
  ];
}

/**
 * Edits the fields of a document. `changed` is called after each edit; references are shown without
 * `root`, the name of the database's documents.
 */
export function fieldEditor(root, changed) {
  const element = h("div.group");
  const top = { children: [] };
  const context = { root, draw, add, touched: changed };

  function draw() {
    render(element, group(top, { isNamed: true, path: [] }, context));
  }

  /** Adds a value, and brings the focus to where it is typed first. */
  function add(parent = top, isNamed = true) {
    const last = parent.children.at(-1);
    const node = last?.isSpare ? last : added();
    if (node !== last) parent.children.push(node);
    parent.limit = Math.max(parent.limit ?? shownAtOnce, parent.children.length);
    changed();
    draw();
    element.querySelector(`[data-key="${node.key}"] [aria-label=${isNamed ? "Name" : "Type"}]`)
      .focus();
  }

  return {
    element,
    add: () => add(),
    /** Shows other fields. What is at the same place stays the same element. */
    show(fields) {
      top.children = opened(fields, root);
      draw();
    },
    read: (isLenient) => closed(top.children, root, isLenient),
  };
}
