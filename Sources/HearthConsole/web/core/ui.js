// The pieces that every view is made of.

export * from "./dom.js";
export * from "./forms.js";
export * from "./show.js";
