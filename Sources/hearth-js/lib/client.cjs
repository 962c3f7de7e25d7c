"use strict";
// The client of a project, with its documents and rules.

const { Controls } = require("./control.cjs");
const { randomProject } = require("./project.cjs");
const { decodeFields, encodeFields } = require("./values.cjs");

const WRITES = 500;
const DEFAULT = "(default)";
// The variables that name a server, as `hearth exec` and the official tools set them.
const ADDRESSES = ["HEARTH_CONSOLE_URL", "FIREBASE_AUTH_EMULATOR_HOST", "FIRESTORE_EMULATOR_HOST"];

/** @typedef {{ database?: string }} InDatabase */
/** @typedef {InDatabase & { session?: import("./index.d.ts").Session }} AsUser */

/** The server that an environment names; each of its ports answers everything. */
const addressIn = (environment) => ADDRESSES.map((name) => environment[name]).find(Boolean);

class HearthClient extends Controls {
  /** The client of the server that the environment names; undefined where it names none. */
  static fromEnvironment(environment = process.env) {
    const url = addressIn(environment);
    return url && new HearthClient(url, environment.GCLOUD_PROJECT ?? "demo-hearth");
  }

  /** A client of a new project on the same server. */
  isolatedProject() {
    return new HearthClient(this.url, randomProject());
  }

  /** A client of a new project that holds what a snapshot of this one holds. */
  async forkSnapshot(name, to = randomProject()) {
    await this.control("POST", `/snapshots/${name}:fork`, { body: { to } });
    return new HearthClient(this.url, to);
  }

  /**
   * A new project that is as this one was after a request of the log, or at a time of its clock.
   * @param {Pick<import("./index.d.ts").LoggedRequest, "id"> | Date | string} moment
   * @param {{ to?: string }} [options]
   */
  async rewind(moment, { to } = {}) {
    const isRequest = typeof moment === "object" && !(moment instanceof Date);
    const body = isRequest
      ? { request: Number(moment.id), to }
      : { time: new Date(moment).toISOString(), to };
    const { project, notRebuilt } = await this.control("POST", "/rewind", { body });
    return { client: new HearthClient(this.url, project), notRebuilt };
  }

  /** Writes documents by their paths: `{ "users/ann": { name: "Ann" } }`; no rules are asked. */
  async setDocuments(documents, { database = DEFAULT } = {}) {
    const root = this.#root(database);
    const writes = Object.entries(documents).map(([path, values]) => ({
      update: { name: `${root}/documents/${path}`, fields: encodeFields(values, root) },
    }));
    for (let begin = 0; begin < writes.length; begin += WRITES) {
      const body = { writes: writes.slice(begin, begin + WRITES) };
      await this.firestore("POST", `${root}/documents:commit`, { body });
    }
  }

  /**
   * The fields of a document; with a session, as the rules let its user.
   * @param {string} path
   * @param {AsUser} [options]
   */
  async document(path, { session, database = DEFAULT } = {}) {
    try {
      const place = `${this.#root(database)}/documents/${path}`;
      return decodeFields((await this.firestore("GET", place, { session })).fields);
    } catch (error) {
      if (error.httpStatus === 404) return undefined;
      throw error;
    }
  }

  /**
   * The documents of a collection by their ids.
   * @param {string} collection
   * @param {AsUser} [options]
   */
  async documents(collection, { session, database = DEFAULT } = {}) {
    /** @type {Record<string, Record<string, any>>} */
    const found = {};
    const place = `${this.#root(database)}/documents/${collection}`;
    let pageToken;
    do {
      const query = { pageSize: 300, pageToken };
      const page = await this.firestore("GET", place, { query, session });
      for (const { name, fields } of page.documents ?? []) {
        found[name.slice(name.lastIndexOf("/") + 1)] = decodeFields(fields);
      }
      pageToken = page.nextPageToken;
    } while (pageToken);
    return found;
  }

  /** Deletes a document and what is below it, or a collection. */
  async deleteDocument(path, { database = DEFAULT } = {}) {
    await this.control("DELETE", `/databases/${database}/documents/${path}`);
  }

  async deleteAllDocuments({ database = DEFAULT } = {}) {
    await this.control("DELETE", `/databases/${database}/documents`);
  }

  /** Sets the security rules of the project, and returns warnings about them. */
  async setRules(source) {
    const files = [{ name: "firestore.rules", content: source }];
    const { issues = [] } = await this.control("PUT", ":securityRules", {
      body: { rules: { files } },
    });
    return issues;
  }

  /** Asks the rules: the answer has `allowed` and `reason`. */
  async evaluateRules(method, path, { auth = null, ...more } = {}) {
    return this.control("POST", "/rules:evaluate", { body: { method, path, auth, ...more } });
  }

  #root(database) {
    return `projects/${this.project}/databases/${database}`;
  }
}

module.exports = { HearthClient, addressIn };
