// The scripts of the console are modules, which Node cannot tell by their names.

import { register } from "node:module";

const hooks = `
  export const load = (url, context, next) =>
    next(url, url.includes("/HearthConsole/web/") ? { ...context, format: "module" } : context);`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
