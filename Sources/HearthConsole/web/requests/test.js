// Requests as a test that makes them again: in JavaScript, Python and Swift.

import { call, own } from "../core/api.js";
import { box, button, hint, snippets } from "../core/ui.js";
import { isOwn } from "./entry.js";

/** So many of the newest requests are taken where none is chosen. */
export const mostOfTest = 20;

/** What stands for the project, and for the code of the latest mail, until a language is chosen. */
const mark = "\u0001";
const codeMark = "\u0002";
const secret = /^\(hidden\)$/;

/** What a request of the log is in a test: its call, and what it is about. */
function stepOf(entry, project) {
  const path = entry.path.replace(/([?&]key=)[^&]*/, `$1${mark}`)
    .replaceAll(`/projects/${project}/`, `/projects/${mark}/`);
  const text = typeof entry.body === "string" ? entry.body : JSON.stringify(entry.body);
  const isForm = /^[\w.-]+=/.test(text ?? "");
  const isMail = /sendOobCode$/.test(entry.operation ?? "") && entry.body?.email;
  return {
    method: entry.method,
    path,
    body: text?.replaceAll(`projects/${project}/`, `projects/${mark}/`),
    type: isForm ? "application/x-www-form-urlencoded" : "application/json",
    status: entry.status,
    signsIn: /signUp$|signIn\w+$/.test(entry.operation ?? "") && entry.status < 400,
    token: entry.uid ? "token" : entry.caller === "owner" ? "owner" : "",
    mailTo: isMail && entry.status < 400 ? entry.body.email : "",
  };
}

/** Steps in which the code of a mail takes the place of what the log has hidden. */
function steps(entries, project) {
  let hasCode = false;
  return entries.map((entry) => {
    const step = stepOf(entry, project);
    if (hasCode) step.body = step.body?.replace(/("oobCode":")\(hidden\)/, `$1${codeMark}`);
    hasCode ||= Boolean(step.mailTo);
    return { ...step, hides: step.body?.includes("(hidden)") };
  });
}

const quoted = (text) => JSON.stringify(text);

/** A text in which the marks stand for the project, as a template of a language. */
const filled = (text, open, close, escape) =>
  escape(text).replaceAll(mark, `${open}project${close}`)
    .replaceAll(codeMark, `${open}code${close}`);

const isTemplate = (text) => text.includes(mark) || text.includes(codeMark);

const javascript = {
  text: (text) =>
    isTemplate(text)
      ? `\x60${filled(text, "${", "}", (one) => one.replace(/[\\\x60]|\$(?=\{)/g, "\\$&"))}\x60`
      : quoted(text),
  none: "null",
  token: { token: "token", owner: '"owner"' },
  comment: "//",
  call: ({ method, path, body, type, token }) =>
    `answer = await call(${[method, path, body, type, token].join(", ")});`,
  check: (status) => `assert.equal(answer.status, ${status});`,
  signIn: "token = answer.body.idToken ?? token;",
  mail: (to) => `code = await hearth.waitForCode(${to});`,
  indent: "  ",
  head: `import assert from "node:assert/strict";
import { test } from "node:test";
import { setupHearth } from "hearth-emulator";

const hearth = setupHearth();

async function call(method, path, body, type, token) {
  const headers = { "Content-Type": type, ...(token && { Authorization: "Bearer " + token }) };
  const reply = await fetch(hearth.url + path, { method, headers, body });
  return { status: reply.status, body: await reply.json().catch(() => ({})) };
}

test("what was recorded happens again", async () => {
  const { project } = hearth;
  let answer, token, code;
`,
  tail: "});\n",
};

const python = {
  text: (text) =>
    quoted(text).replaceAll("\\u0001", '" + project + "')
      .replaceAll("\\u0002", '" + code + "'),
  none: "None",
  token: { token: "token", owner: '"owner"' },
  comment: "#",
  call: ({ method, path, body, type, token }) =>
    `status, answer = call(hearth_project, ${[method, path, body, type, token].join(", ")})`,
  check: (status) => `assert status == ${status}`,
  signIn: 'token = answer.get("idToken", token)',
  mail: (to) => `code = hearth_project.wait_for_code(${to})`,
  indent: "    ",
  head: `import json
from urllib.error import HTTPError
from urllib.request import Request, urlopen


def call(hearth, method, path, body, kind, token):
    headers = {"Content-Type": kind, **({"Authorization": f"Bearer {token}"} if token else {})}
    request = Request(hearth.url + path, body and body.encode(), headers, method=method)
    try:
        reply = urlopen(request)
    except HTTPError as error:
        reply = error
    return reply.status, json.loads(reply.read() or "{}")


def test_what_was_recorded_happens_again(hearth_project):
    project, token = hearth_project.project, None
`,
  tail: "",
};

const swift = {
  text: (text) =>
    /[\\"]/.test(text)
      ? `#"${filled(text, "\\#(", ")", String)}"#`
      : `"${filled(text, "\\(", ")", String)}"`,
  none: "nil",
  token: { token: "token", owner: '"owner"' },
  comment: "//",
  call: ({ method, path, body, type, token }) =>
    `answer = try await call(${[method, path, body, type, token].join(", ")})`,
  check: (status) => `#expect(answer.status == ${status})`,
  signIn: 'token = answer.body["idToken"] as? String ?? token',
  mail: (to) => `code = try await hearth.waitForCode(to: ${to})`,
  indent: "    ",
  head: `import Foundation
import HearthTesting
import Testing

@Suite(.hearth) struct Recorded {
  let hearth = HearthClient.current

  func call(
    _ method: String, _ path: String, _ body: String?, _ type: String, _ token: String?
  ) async throws -> (status: Int, body: [String: Any]) {
    let url = try #require(URL(string: "http://\\(hearth.authAddress)\\(path)"))
    var request = URLRequest(url: url)
    request.httpMethod = method
    request.httpBody = body.map { Data($0.utf8) }
    request.setValue(type, forHTTPHeaderField: "Content-Type")
    if let token { request.setValue("Bearer \\(token)", forHTTPHeaderField: "Authorization") }
    let (data, reply) = try await URLSession.shared.data(for: request)
    let body = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
    return ((reply as? HTTPURLResponse)?.statusCode ?? 0, body ?? [:])
  }

  @Test func whatWasRecordedHappensAgain() async throws {
    let project = hearth.project
    var answer: (status: Int, body: [String: Any])
    var token: String?
    var code = ""
`,
  tail: "  }\n}\n",
};

function linesOf(step, language) {
  const { text, none, token, comment } = language;
  return [
    step.hides && `${comment} The log has hidden values of this request: write them.`,
    language.call({
      method: text(step.method),
      path: text(step.path),
      body: step.body ? text(step.body) : none,
      type: text(step.type),
      token: token[step.token] ?? none,
    }),
    language.check(step.status),
    step.signsIn && language.signIn,
    step.mailTo && language.mail(text(step.mailTo)),
  ].filter(Boolean);
}

const languages = { JavaScript: javascript, Python: python, Swift: swift };

/** The test of requests, oldest first, by language: [name, text]. */
export function testsOf(entries, project) {
  const made = steps(entries, project);
  return Object.entries(languages).map(([name, language]) => {
    const lines = made.flatMap((step) => linesOf(step, language));
    const body = lines.map((line) => language.indent + line).join("\n");
    return [name, `${language.head}${body}\n${language.tail}`];
  });
}

/** What can be asked again over plain HTTP. */
export const isPlain = (entry) => entry.canReplay && entry.path.startsWith("/") && !isOwn(entry);

/** Shows the test of these requests, which are newest first. */
export async function openTest(project, entries) {
  const plain = entries.filter(isPlain).reverse();
  if (!plain.length) throw new Error("None of these requests was made over plain HTTP.");
  const whole = await Promise.all(
    plain.map(({ id }) => call("GET", own(project, `requests/${encodeURIComponent(id)}`))),
  );
  const left = entries.length - plain.length;
  const close = box("As a test", [
    hint(
      "The test makes these requests again in a project of its own, and expects the same status." +
        (left ? ` ${left} over gRPC, of a stream or to Hearth itself are left out.` : ""),
    ),
    snippets("Language of the test", testsOf(whole.map((one) => clean(one)), project)),
    button("Close", () => close(), { autofocus: true }),
  ], { class: "broad" });
}

/** Without the members that the log has hidden as a whole. */
const clean = ({ body, ...entry }) => ({ ...entry, body: secret.test(body) ? undefined : body });
