// The pieces that every view is made of.

export * from "./dom.js";
export * from "./forms.js";
export { paced, settled } from "./live.js";
export * from "./show.js";
