"use strict";
// Clock, faults, the request log, switches and snapshots of a project.

const { HearthError } = require("./http.cjs");
const { Mailbox, callLine, waitTime } = require("./mailbox.cjs");

const time = (now) => (typeof now === "string" ? now : new Date(now).toISOString());
const duration = (by) => (typeof by === "number" ? `${Math.round(by)}ms` : by);
const clockOf = (raw) => ({ ...raw, now: new Date(raw.now) });

class Controls extends Mailbox {
  async clock() {
    return clockOf(await this.control("GET", "/clock"));
  }

  /** Moves the time of the project, by "2h" or milliseconds. */
  async advanceClock(by) {
    return clockOf(await this.control("PATCH", "/clock", { body: { advance: duration(by) } }));
  }

  /**
   * @param {Date | string} now
   * @param {{ frozen?: boolean }} [options]
   */
  async setClock(now, { frozen } = {}) {
    return clockOf(await this.control("PATCH", "/clock", { body: { now: time(now), frozen } }));
  }

  /**
   * A token of App Check for an app, as its X-Firebase-AppCheck.
   * @param {string} [appId]
   * @param {{ limitedUse?: boolean, lifetime?: number }} [options]
   */
  async appCheckToken(appId, { limitedUse, lifetime } = {}) {
    const body = { appId, limitedUse, lifetime };
    return (await this.control("POST", "/appCheck:token", { body })).token;
  }

  /** Which calls brought a token that counts. */
  async appCheckReport() {
    return (await this.control("GET", "/appCheck")).report;
  }

  async freezeClock(frozen = true) {
    return clockOf(await this.control("PATCH", "/clock", { body: { frozen } }));
  }

  async resetClock() {
    return clockOf(await this.control("DELETE", "/clock"));
  }

  async addFault(operation, effect, more = {}) {
    await this.control("POST", "/faults", { body: { operation, effect, ...more } });
  }

  async setFaults(faults) {
    await this.control("PUT", "/faults", { body: { faults } });
  }

  async faults() {
    return (await this.control("GET", "/faults")).faults;
  }

  async clearFaults() {
    await this.control("DELETE", "/faults");
  }

  /**
   * The calls of this project, oldest first.
   * @param {{ operation?: string, [filter: string]: unknown }} [filters]
   * @returns {Promise<import("./index.d.ts").LoggedRequest[]>}
   */
  async requests({ operation, ...filters } = {}) {
    return (await this.control("GET", "/requests", { query: { operation, ...filters } })).requests;
  }

  /**
   * Waits until so many calls have been made; else the error lists those that were.
   * @param {string} operation
   * @param {{ status?: number | string, times?: number, within?: number }} [options]
   */
  async waitForRequests(operation, { status, times = 1, within = 5_000 } = {}) {
    const end = performance.now() + within;
    /** @type {import("./index.d.ts").LoggedRequest[]} */
    const found = [];
    while (found.length < times) {
      const wait = waitTime(end - performance.now());
      const more = await this.requests({ operation, status, after: found.at(-1)?.id, wait });
      found.push(...more);
      if (more.length === 0 && performance.now() >= end) {
        const wanted = status === undefined ? operation : `${operation} with status ${status}`;
        throw new HearthError(
          "TIMEOUT",
          `${found.length} of ${times} calls of ${wanted} within ${within} ms.\n` +
            (await this.#madeInstead()),
        );
      }
    }
    return found;
  }

  async #madeInstead() {
    const made = (await this.requests()).slice(-10);
    if (made.length === 0) return "No call was made at all.";
    return [`The latest calls of ${this.project}:`, ...made.map(callLine)].join("\n");
  }

  async clearRequests() {
    await this.control("DELETE", "/requests");
  }

  async switches() {
    return this.control("GET", "/switches");
  }

  async setSwitches(switches) {
    await this.control("PATCH", "/switches", { body: switches });
  }

  async saveSnapshot(name, { replace = false } = {}) {
    return this.control("POST", "/snapshots", { body: { name, replace } });
  }

  async snapshots() {
    return (await this.control("GET", "/snapshots")).snapshots;
  }

  async restoreSnapshot(name, { keepClock = false } = {}) {
    await this.control("POST", `/snapshots/${name}:restore`, { body: { keepClock } });
  }

  async deleteSnapshot(name) {
    await this.control("DELETE", `/snapshots/${name}`);
  }

  /** Adds what a seed says: users, documents, switches …, in YAML or JSON. */
  async seed(content) {
    await this.control("POST", "/seed", { body: { content } });
  }

  /** Deletes all that the project holds, with its settings, faults and clock. */
  async clear() {
    await this.control("DELETE", "");
  }
}

module.exports = { Controls };
