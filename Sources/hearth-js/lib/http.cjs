"use strict";
// Requests to a server, and its refusals.

const http = require("node:http");

// Longer than the longest wait for a mail, so that the server ends it.
const TIMEOUT = 330_000;

/** A refusal of the server, or a wait in vain. */
class HearthError extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {number} [httpStatus]
   */
  constructor(code, message, httpStatus = 0) {
    super(httpStatus ? `${httpStatus} ${message}` : message);
    this.name = "HearthError";
    this.code = code;
    this.httpStatus = httpStatus;
    this.reason = message;
  }
}

/** The error in the envelope of Google's APIs. */
function refusal(text, status) {
  let error;
  try {
    error = JSON.parse(text).error;
  } catch {
    error = undefined;
  }
  if (typeof error?.message !== "string") {
    const shown = text.slice(0, 200).trim();
    return new HearthError("UNEXPECTED_ANSWER", `HTTP status ${status}: ${shown}`, status);
  }
  const word = error.message.split(" : ")[0];
  const code = /^[A-Z_]+$/.test(word) ? word : (error.status ?? word);
  return new HearthError(code, error.message, status);
}

/**
 * What a request carries. Members of `query` that are undefined or null are left out.
 * @typedef {{
 *   body?: unknown, query?: Record<string, unknown>, headers?: Record<string, string>
 * }} Content
 */

/**
 * The JSON that the server answers. Each request has a connection of its own.
 * @param {string} url
 * @param {string} method
 * @param {string} path
 * @param {Content} [content]
 * @returns {Promise<any>}
 */
async function call(url, method, path, { body, query = {}, headers = {} } = {}) {
  const target = new URL(path, url);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) target.searchParams.set(name, String(value));
  }
  const content = body === undefined ? undefined : JSON.stringify(body);
  const sent = content === undefined ? headers : { "Content-Type": "application/json", ...headers };
  const { text, status } = await send(target, method, sent, content);
  if (status < 200 || status > 299) throw refusal(text, status);
  try {
    return text === "" ? {} : JSON.parse(text);
  } catch {
    throw new HearthError("UNEXPECTED_ANSWER", `not JSON: ${text.slice(0, 200)}`, status);
  }
}

/**
 * @param {URL} target
 * @param {string} method
 * @param {Record<string, string>} headers
 * @param {string | undefined} content
 * @returns {Promise<{ text: string, status: number }>}
 */
function send(target, method, headers, content) {
  return new Promise((resolve, reject) => {
    const fail = (error) =>
      reject(
        new HearthError(
          "UNREACHABLE",
          `no answer from ${target.origin}: ${error.message || error.code}`,
        ),
      );
    const options = { method, headers, agent: false, timeout: TIMEOUT };
    const request = http.request(target, options, (response) => {
      const parts = [];
      response.on("data", (part) => parts.push(part));
      response.on("error", fail);
      response.on(
        "end",
        () => resolve({ text: Buffer.concat(parts).toString(), status: response.statusCode ?? 0 }),
      );
    });
    request.on("timeout", () => request.destroy(new Error("timed out")));
    request.on("error", fail);
    request.end(content);
  });
}

module.exports = { HearthError, call };
