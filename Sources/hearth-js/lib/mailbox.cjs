"use strict";
// Mails and text messages: waiting for them, and for the codes and links in them.

const { createHmac } = require("node:crypto");

const { Accounts, sessionOf } = require("./accounts.cjs");
const { HearthError } = require("./http.cjs");

const SHOWN = 10;

/** @typedef {import("./index.d.ts").Mail} Mail */
/** @typedef {import("./index.d.ts").MailFilter} MailFilter */
/** @typedef {import("./index.d.ts").Waiting} Waiting */
/** @typedef {import("./index.d.ts").Session} Session */

/** @param {MailFilter & { to?: string }} filter */
function filter({ to, type, after, since, state, search }) {
  return {
    to,
    type,
    state,
    after: after?.id,
    since: since && new Date(since).toISOString(),
    q: search,
  };
}

/**
 * @param {string} what
 * @param {Waiting} options
 * @returns {Waiting}
 */
const having = (what, { search = "", ...more }) => ({
  ...more,
  search: `has:${what} ${search}`.trim(),
});

/** The parameter `wait`: the server holds a request for five minutes at most. */
const waitTime = (milliseconds) => `${Math.ceil(Math.min(300_000, Math.max(0, milliseconds)))}ms`;

/**
 * A line for each call of the request log.
 * @param {import("./index.d.ts").LoggedRequest} call
 */
const callLine = ({ operation, status, error }) =>
  `  ${operation}: ${status} ${error ?? ""}`.trimEnd();

class Mailbox extends Accounts {
  /**
   * The newest matching mail; waits for one if there is none. A mail whose code is used or has expired
   * does not match, unless `state` is `any`. When the time is over, the error lists what is there instead.
   * @param {string} [to]
   * @param {Waiting} [options]
   * @returns {Promise<Mail>}
   */
  async waitForMail(to, { within = 10_000, state = "pending", ...more } = {}) {
    const query = { ...filter({ to, state, ...more }), wait: waitTime(within) };
    try {
      return await this.control("GET", "/messages/latest", { query });
    } catch (error) {
      if (error.httpStatus !== 404) throw error;
      throw new HearthError(error.code, `${error.reason}\n${await this.#seenInstead()}`, 404);
    }
  }

  /**
   * @param {string} [to]
   * @param {Waiting} [options]
   * @returns {Promise<any>} A string, since the search asks for a mail that has one.
   */
  async waitForCode(to, options = {}) {
    return (await this.waitForMail(to, having("code", options))).code;
  }

  /**
   * @param {string} [to]
   * @param {Waiting} [options]
   * @returns {Promise<any>} A string, since the search asks for a mail that has one.
   */
  async waitForLink(to, options = {}) {
    return (await this.waitForMail(to, having("link", options))).link;
  }

  /**
   * The newest push message to a token, `topic:name` or condition; waits for one.
   * @param {string} [to]
   * @param {Waiting} [options]
   * @returns {Promise<Mail>}
   */
  waitForPush(to, options = {}) {
    return this.waitForMail(to, { ...options, type: "PUSH" });
  }

  /**
   * The newest text message to a number whose code works; waits for one.
   * @param {string} [to]
   * @param {Waiting} [options]
   * @returns {Promise<Mail>}
   */
  waitForSMS(to, options = {}) {
    return this.waitForMail(to, { ...options, type: "SMS" });
  }

  /**
   * Registers a device for push messages, or changes the one with the token.
   * @param {Partial<import("./index.d.ts").PushDevice>} [device]
   * @returns {Promise<import("./index.d.ts").PushDevice>}
   */
  registerDevice({ token, platform, state, topics, name, language } = {}) {
    const body = { token, platform, state, topics, name, language };
    return this.control("POST", "/devices", { body });
  }

  async #seenInstead() {
    const mails = (await this.mails()).slice(-SHOWN);
    const said = mails.length === 0 ? [`The mailbox of ${this.project} is empty.`] : [
      `The newest mails of ${this.project}:`,
      ...mails.map((one) => `  ${one.type} to ${one.to}, ${one.state}: ${one.subject}`),
    ];
    const log = await this.control("GET", "/requests", { query: { status: "failed", limit: 5 } });
    if (log.requests.length > 0) {
      said.push("Requests that were refused:", ...log.requests.map(callLine));
    }
    return said.join("\n");
  }

  /**
   * @param {MailFilter & { to?: string, limit?: number }} [options]
   * @returns {Promise<Mail[]>}
   */
  async mails({ state = "any", limit = 1000, ...more } = {}) {
    const query = { ...filter({ state, ...more }), limit };
    return (await this.control("GET", "/messages", { query })).messages;
  }

  /**
   * @param {string} [to]
   * @param {MailFilter} [options]
   * @returns {Promise<Mail | undefined>}
   */
  async latestMail(to, { state = "any", ...more } = {}) {
    try {
      return await this.control(
        "GET",
        "/messages/latest",
        { query: filter({ to, state, ...more }) },
      );
    } catch (error) {
      if (error.httpStatus === 404) return undefined;
      throw error;
    }
  }

  async deleteMails(search) {
    await this.control("DELETE", "/messages", { query: { q: search } });
  }

  /**
   * @param {string} email
   * @param {{ locale?: string }} [options]
   */
  async sendPasswordReset(email, { locale } = {}) {
    await this.sendOobCode("PASSWORD_RESET", { email, locale });
  }

  /**
   * @param {import("./index.d.ts").MailType} type
   * @param {{
   *   email?: string, session?: Session, newEmail?: string, continueUrl?: string, locale?: string
   * }} [options]
   */
  async sendOobCode(type, { email, session, newEmail, continueUrl, locale } = {}) {
    const canHandleCodeInApp = type === "EMAIL_SIGNIN" ? true : undefined;
    await this.auth(":sendOobCode", {
      requestType: type,
      email,
      newEmail,
      idToken: session?.idToken,
      continueUrl,
      canHandleCodeInApp,
    }, locale ? { "X-Firebase-Locale": locale } : {});
  }

  async resetPassword(code, newPassword) {
    await this.auth(":resetPassword", { oobCode: code, newPassword });
  }

  async applyCode(code) {
    await this.auth(":update", { oobCode: code });
  }

  /**
   * @param {string} phoneNumber
   * @param {{ within?: number }} [options]
   */
  async signInWithPhone(phoneNumber, { within } = {}) {
    const after = await this.latestMail(phoneNumber, { type: "SMS" });
    const { sessionInfo } = await this.auth(
      ":sendVerificationCode",
      { phoneNumber, recaptchaToken: "none" },
    );
    const code = await this.waitForCode(phoneNumber, { type: "SMS", after, within });
    return sessionOf(await this.auth(":signInWithPhoneNumber", { sessionInfo, code }));
  }

  /** The code that an authenticator app shows, by the clock of the project. */
  async totpCode(secret, periods = 0) {
    const { now } = await this.control("GET", "/clock");
    return oneTimeCode(secret, Math.floor(Date.parse(now) / 30_000) + periods);
  }

  /**
   * Adds an authenticator app as a second factor, and returns the secret of its codes and a new session.
   * @param {Session} session
   * @param {{ displayName?: string }} [options]
   */
  async enrollTotp({ idToken }, { displayName } = {}) {
    const { totpSessionInfo: { sharedSecretKey: secret, sessionInfo } } = await this.auth(
      "/mfaEnrollment:start",
      { idToken, totpEnrollmentInfo: {} },
      {},
      "v2",
    );
    // A code counts once: the one before is used, so that the code of now is left for a sign-in.
    const session = await this.redeemTotp(
      "/mfaEnrollment:finalize",
      {
        idToken,
        displayName,
        totpVerificationInfo: { sessionInfo },
      },
      secret,
      [-1, 0],
    );
    return { secret, session };
  }

  /**
   * Ends a sign-in for which `signIn` has thrown `SecondFactorRequired`.
   * @param {import("./index.d.ts").SecondFactorRequired} required
   * @param {{ phoneNumber?: string, totpCode?: string, totpSecret?: string }} [options]
   * @returns {Promise<Session>}
   */
  async signInWithSecondFactor(required, { phoneNumber, totpCode, totpSecret } = {}) {
    const wanted = (totpCode ?? totpSecret) === undefined ? "phoneInfo" : "totpInfo";
    const factor = required.factors.find((one) => one[wanted] !== undefined);
    if (!factor) {
      throw new HearthError("MFA_ENROLLMENT_NOT_FOUND", `the user has no factor with ${wanted}`);
    }
    /** @type {Record<string, unknown>} */
    const body = {
      mfaPendingCredential: required.pendingCredential,
      mfaEnrollmentId: factor.mfaEnrollmentId,
    };
    if (totpSecret !== undefined) {
      return this.redeemTotp("/mfaSignIn:finalize", body, totpSecret, [0, 1]);
    }
    if (totpCode !== undefined) {
      body.totpVerificationInfo = { verificationCode: totpCode };
    } else {
      const after = await this.latestMail(phoneNumber, { type: "SMS" });
      const phoneSignInInfo = { recaptchaToken: "none" };
      const started = await this.auth("/mfaSignIn:start", { ...body, phoneSignInInfo }, {}, "v2");
      body.phoneVerificationInfo = {
        sessionInfo: started.phoneResponseInfo.sessionInfo,
        code: await this.waitForCode(phoneNumber, { type: "SMS", after }),
      };
    }
    return sessionOf(await this.auth("/mfaSignIn:finalize", body, {}, "v2"));
  }

  /**
   * @private Tries the codes of these periods, of which one may have been used before.
   *
   * A code may also be refused because half a minute has ended on its way: the code that the period
   * has by then is tried first. Later periods would take the codes of the next sign-in.
   * @returns {Promise<Session>}
   */
  async redeemTotp(path, body, secret, [period, last]) {
    const verificationCode = await this.totpCode(secret, period);
    const totpVerificationInfo = { ...body.totpVerificationInfo, verificationCode };
    try {
      return sessionOf(await this.auth(path, { ...body, totpVerificationInfo }, {}, "v2"));
    } catch (error) {
      if (error.code !== "INVALID_CODE") throw error;
      const hasEnded = await this.totpCode(secret, period) !== verificationCode;
      if (!hasEnded && period === last) throw error;
      return this.redeemTotp(path, body, secret, [hasEnded ? period : period + 1, last]);
    }
  }
}

/** RFC 6238: the code of a number of half minutes since 1970. */
function oneTimeCode(secret, step) {
  const bits = [...secret.toUpperCase()].map((letter) => (
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0")
  )).join("");
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", key).update(counter).digest();
  const number = mac.readUInt32BE(mac[19] & 0xf) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, "0");
}

module.exports = { Mailbox, callLine, waitTime };
