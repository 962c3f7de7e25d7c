"use strict";
// A server for as long as a test process runs.

const { spawn } = require("node:child_process");
const { findBinary } = require("./binary.cjs");
const { HearthClient, addressIn } = require("./client.cjs");
const { HearthError, call } = require("./http.cjs");

// Prints the environment that `hearth exec` makes, and ends when the pipe from this process closes: at
// its end, however it ends. Then the server ends too.
const CHILD = "env -0; printf '\\0'; exec cat > /dev/null";
const OF_THE_SHELL = new Set(["_", "PWD", "OLDPWD", "SHLVL"]);
const QUIET = [["--log-level", "warning"], ["--single-project-mode", "no-warning"]];
const LOG_BYTES = 65_536;

class HearthServer {
  #process;
  #log;

  constructor(environment, process, log = () => "") {
    const address = addressIn(environment);
    if (!address) throw new HearthError("UNREACHABLE", "no variable names a server");
    this.environment = { ...environment };
    this.url = address.includes("//") ? address : `http://${address}`;
    this.#process = process;
    this.#log = log;
  }

  /** The server that the environment names, else a new one; `flags` are those of a new one. */
  static async find(options = {}) {
    return (await HearthServer.running()) ?? HearthServer.start(options);
  }

  /** The server that the environment names; undefined where it names none. */
  static async running(environment = process.env) {
    const named = addressIn(environment);
    if (!named) return undefined;
    const url = named.includes("//") ? named : `http://${named}`;
    const overview = await call(url, "GET", "/emulator/v1/overview").catch((error) => {
      throw new HearthError(
        "UNREACHABLE",
        `${named}, which the environment names, is not a Hearth server: ${error.message}`,
      );
    });
    const { auth, firestore } = overview.addresses;
    const project = environment.GCLOUD_PROJECT ?? overview.defaultProject;
    const variables = {
      HEARTH_CONSOLE_URL: url,
      FIREBASE_AUTH_EMULATOR_HOST: environment.FIREBASE_AUTH_EMULATOR_HOST ?? auth,
      FIRESTORE_EMULATOR_HOST: environment.FIRESTORE_EMULATOR_HOST ?? firestore,
      GCLOUD_PROJECT: project,
      GOOGLE_CLOUD_PROJECT: project,
    };
    const known = Object.entries(variables).filter(([, value]) => value !== undefined);
    return new HearthServer(Object.fromEntries(known));
  }

  /** Starts a server on free ports. It ends with this process, also when that is killed. */
  static async start({ flags = [], binary = findBinary(), timeout = 30_000 } = {}) {
    const chosen = new Set(flags.map((flag) => flag.split("=")[0]));
    const defaults = QUIET.filter(([flag]) => !chosen.has(flag)).flat();
    const command = ["exec", ...defaults, ...flags, "--", "sh", "-c", CHILD];
    // A session of its own: the terminal's Ctrl-C is for the tests, which then end the server.
    const child = spawn(binary, command, { detached: true, stdio: "pipe" });
    const log = lastWords(child.stderr);
    let variables;
    try {
      variables = await printed(child, timeout);
    } catch (error) {
      child.kill("SIGKILL");
      throw new HearthError(error.code, `${error.reason ?? error.message}\n${log()}`.trim());
    }
    child.unref();
    // The pipes are sockets, which the types do not say.
    for (const pipe of [child.stdin, child.stdout, child.stderr]) {
      /** @type {import("node:net").Socket} */ (pipe).unref();
    }
    child.stdin.on("error", () => {});
    const set = Object.entries(variables).filter(
      ([name, value]) => !OF_THE_SHELL.has(name) && process.env[name] !== value,
    );
    return new HearthServer(Object.fromEntries(set), child, log);
  }

  /** A client of a project; without an id, of the default project. */
  client(project = this.environment.GCLOUD_PROJECT ?? "demo-hearth") {
    return new HearthClient(this.url, project);
  }

  isolatedProject() {
    return this.client().isolatedProject();
  }

  /** The latest that a server that was started here has logged. */
  get log() {
    return this.#log();
  }

  /** Ends the server, if it was started here. */
  async stop() {
    const child = this.#process;
    this.#process = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.ref();
    const ended = new Promise((resolve) => child.once("exit", resolve));
    const patience = setTimeout(() => child.kill("SIGKILL"), 15_000);
    child.stdin.end();
    await ended;
    clearTimeout(patience);
  }
}

/** Reads a stream, and keeps the end of it. */
function lastWords(stream) {
  let text = "";
  stream.setEncoding("utf8").on("data", (part) => {
    text = (text + part).slice(-LOG_BYTES);
  });
  return () => text;
}

/** The environment of the child, which it prints with a zero after each and one at the end. */
function printed(child, timeout) {
  return new Promise((resolve, reject) => {
    let text = "";
    const patience = setTimeout(
      () => reject(new HearthError("TIMEOUT", "hearth did not start in time")),
      timeout,
    );
    child.on("error", (error) => {
      clearTimeout(patience);
      reject(new HearthError("NOT_STARTED", `hearth did not start: ${error.message}`));
    });
    child.stdout.setEncoding("utf8").on("data", (part) => {
      text += part;
      if (!text.endsWith("\0\0")) return;
      clearTimeout(patience);
      const pairs = text.split("\0").filter(Boolean);
      resolve(Object.fromEntries(pairs.map((pair) => {
        const middle = pair.indexOf("=");
        return [pair.slice(0, middle), pair.slice(middle + 1)];
      })));
    });
    child.on("close", () => {
      clearTimeout(patience);
      reject(new HearthError("NOT_STARTED", "hearth did not start:"));
    });
  });
}

module.exports = { HearthServer };
