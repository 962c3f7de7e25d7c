// Messages between a page and the frames that it opens, as `gapi.iframes` passes them: `open`,
// `getParentIframe`, `register`, `send`, `ping` and `restyle`. Both sides load this file.
"use strict";
(() => {
  const own = "hearth-frame";
  const handlerWait = 2000;

  /** What this side does at each message, by its name. */
  function handlersByName() {
    const handlers = new Map();
    const unhandled = new Map();

    function register(name, handler) {
      handlers.set(name, handler);
      (unhandled.get(name) ?? []).forEach((resume) => resume(handler));
      unhandled.delete(name);
    }

    /** The handler of a name; the other side may call before it is registered. */
    function handler(name) {
      if (handlers.has(name)) return Promise.resolve(handlers.get(name));
      return new Promise((resolve) => {
        unhandled.set(name, [...(unhandled.get(name) ?? []), resolve]);
        setTimeout(() => resolve(() => undefined), handlerWait);
      });
    }
    return { register, handler, unregister: (name) => handlers.delete(name) };
  }

  /** One end of the messages between this window and another one. */
  function channel(other) {
    const { register, handler, unregister } = handlersByName();
    const waiting = new Map();
    let last = 0;

    const post = (message) => other().postMessage({ [own]: message }, "*");

    function send(name, data, answered) {
      const id = ++last;
      const answer = new Promise((resolve) => waiting.set(id, resolve));
      post({ kind: "call", id, name, data });
      return answer.then((results) => {
        // The SDK throws from here after each answer, also where it has used it. Nobody waits for
        // that, and in a promise it would be an error of the app's page.
        try {
          answered?.(results);
        } catch (error) {
          console.debug(error);
        }
        return results;
      });
    }

    async function take({ kind, id, name, data }) {
      if (kind === "answer") {
        waiting.get(id)?.(data);
        waiting.delete(id);
        return;
      }
      const result = name === "_ping" ? "pong" : await (await handler(name))(data);
      post({ kind: "answer", id, data: [result] });
    }

    addEventListener("message", (event) => {
      const message = event.data?.[own];
      if (event.source === other() && message) take(message);
    });
    return {
      register,
      unregister,
      send,
      ping: (answered) => send("_ping", null, answered),
      restyle: () => Promise.resolve(),
    };
  }

  /** Opens a frame, and has `opened` called with its end when it has loaded. */
  function open({ url, where, attributes }, opened) {
    return new Promise((resolve, reject) => {
      const frame = document.createElement("iframe");
      Object.assign(frame.style, attributes?.style);
      const end = channel(() => frame.contentWindow);
      frame.addEventListener("load", () => {
        Promise.resolve(opened?.(end)).then(() => resolve(end), reject);
      }, { once: true });
      frame.src = url;
      (where ?? document.body).append(frame);
    });
  }

  let parentEnd;
  const iframes = {
    Iframe: class {},
    CROSS_ORIGIN_IFRAMES_FILTER: "cross-origin",
    getContext: () => ({
      open,
      getParentIframe: () => (parentEnd ??= channel(() => parent)),
    }),
  };

  window.gapi = {
    load(_names, then) {
      window.gapi.iframes = iframes;
      setTimeout(typeof then === "function" ? then : then.callback, 0);
    },
  };
  const onload = new URL(document.currentScript.src).searchParams.get("onload");
  if (onload) setTimeout(() => window[onload]?.(), 0);
})();
