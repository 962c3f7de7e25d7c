// As much of a document as the renderer needs.

class Node {
  parentNode = null;
  childNodes = [];
  get firstChild() {
    return this.childNodes[0] ?? null;
  }
  get nextSibling() {
    return this.parentNode?.childNodes[this.parentNode.childNodes.indexOf(this) + 1] ?? null;
  }
  get isConnected() {
    return this === document.body || Boolean(this.parentNode?.isConnected);
  }
  get textContent() {
    return this.data ?? this.childNodes.map((child) => child.textContent).join("");
  }
  remove() {
    if (!this.parentNode) return;
    // As in a browser, what is taken out has not got the focus any more.
    if (this.contains(document.activeElement)) document.activeElement = document.body;
    this.parentNode.childNodes.splice(this.parentNode.childNodes.indexOf(this), 1);
    this.parentNode = null;
  }
  contains(node) {
    return node === this || this.childNodes.some((child) => child.contains(node));
  }
  insertBefore(node, next) {
    node.remove();
    const index = next ? this.childNodes.indexOf(next) : this.childNodes.length;
    this.childNodes.splice(index, 0, node);
    node.parentNode = this;
    document.insertions += 1;
  }
  append(...nodes) {
    for (const node of nodes) {
      this.insertBefore(node instanceof Node ? node : document.createTextNode(node), null);
    }
  }
}

class Text extends Node {
  nodeType = 3;
  nodeName = "#text";
  constructor(data) {
    super();
    this.data = data;
  }
}

class Comment extends Node {
  nodeType = 8;
  nodeName = "#comment";
}

class Element extends Node {
  nodeType = 1;
  attributes = new Map();
  listeners = new Map();
  constructor(name) {
    super();
    this.nodeName = name.toUpperCase();
  }
  setAttribute(name, value) {
    this.attributes.set(name, String(value));
  }
  getAttribute(name) {
    return this.attributes.get(name) ?? null;
  }
  removeAttribute(name) {
    this.attributes.delete(name);
  }
  addEventListener(name, hear) {
    this.listeners.set(name, [...(this.listeners.get(name) ?? []), hear]);
  }
  click() {
    for (const hear of this.listeners.get("click") ?? []) {
      hear({ type: "click", currentTarget: this });
    }
  }
  focus() {
    document.activeElement = this;
  }
}

export const document = globalThis.document = {
  insertions: 0,
  createElement: (name) => new Element(name),
  createComment: () => new Comment(),
  createTextNode: (data) => new Text(data),
};
document.body = document.activeElement = new Element("body");
