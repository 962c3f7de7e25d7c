export { setupHearth } from "./index.js";
