"use strict";
// Users, and every kind of sign-in.

const { HearthError, call } = require("./http.cjs");
const { Project } = require("./project.cjs");

/** The password is right, and a second factor is asked for. */
class SecondFactorRequired extends HearthError {
  constructor(answer) {
    super("SECOND_FACTOR_REQUIRED", "a second factor is required");
    this.name = "SecondFactorRequired";
    this.pendingCredential = answer.mfaPendingCredential;
    this.factors = answer.mfaInfo ?? [];
  }
}

/** @typedef {import("./index.d.ts").Session} Session */

/** The claims of a token, which are not verified here. */
function claimsOf(token) {
  return JSON.parse(Buffer.from(token.split(".")[1], "base64url").toString());
}

/**
 * The session in the answer to a sign-in.
 * @returns {Session}
 */
function sessionOf(answer) {
  if (answer.mfaPendingCredential !== undefined) throw new SecondFactorRequired(answer);
  const { idToken, refreshToken } = answer;
  const claims = claimsOf(idToken);
  return { localId: answer.localId ?? claims.user_id, idToken, refreshToken, claims };
}

function accountOf(raw) {
  return { ...raw, claims: JSON.parse(raw.customAttributes || "{}") };
}

class Accounts extends Project {
  /**
   * Creates a user as an administrator would, and returns the user's id.
   * @param {import("./index.d.ts").NewUser} [user]
   * @returns {Promise<string>}
   */
  async createUser({ claims, ...user } = {}) {
    const { localId } = await this.admin("accounts", user);
    if (claims !== undefined) await this.setClaims(localId, claims);
    return localId;
  }

  async setClaims(localId, claims) {
    await this.admin("accounts:update", { localId, customAttributes: JSON.stringify(claims) });
  }

  async updateUser(localId, changes) {
    await this.admin("accounts:update", { localId, ...changes });
  }

  async deleteUser(localId) {
    await this.admin("accounts:delete", { localId });
  }

  async deleteAllAccounts() {
    await this.control("DELETE", "/accounts");
  }

  async users(search, limit = 1000) {
    const found = await this.control("GET", "/accounts", { query: { q: search, limit } });
    return (found.userInfo ?? []).map(accountOf);
  }

  async user(email) {
    const { users = [] } = await this.admin("accounts:lookup", { email: [email] });
    return users.length === 0 ? undefined : accountOf(users[0]);
  }

  /** @param {Session} session */
  async lookup({ idToken }) {
    const { users = [] } = await this.auth(":lookup", { idToken });
    if (users.length === 0) throw new HearthError("USER_NOT_FOUND", "USER_NOT_FOUND");
    return accountOf(users[0]);
  }

  async signUp(email, password) {
    return sessionOf(await this.auth(":signUp", { email, password, returnSecureToken: true }));
  }

  async signIn(email, password) {
    return sessionOf(
      await this.auth(":signInWithPassword", { email, password, returnSecureToken: true }),
    );
  }

  async signInAnonymously() {
    return sessionOf(await this.auth(":signUp", { returnSecureToken: true }));
  }

  async signInWithEmailLink(email, code) {
    return sessionOf(await this.auth(":signInWithEmailLink", { email, oobCode: code }));
  }

  async signInWithCustomToken(token) {
    return sessionOf(
      await this.auth(":signInWithCustomToken", { token, returnSecureToken: true }),
    );
  }

  async putPersona(name, persona) {
    await this.control("PUT", `/personas/${name}`, { body: persona });
  }

  async signInWithPersona(name, providerId = "google.com") {
    const tokens = await this.control("POST", `/personas/${name}:signIn`, {
      body: { provider: providerId },
    });
    const postBody = new URLSearchParams({ providerId: tokens.providerId });
    if (tokens.idToken) postBody.set("id_token", tokens.idToken);
    else postBody.set("access_token", tokens.accessToken);
    if (tokens.tokenSecret) postBody.set("oauth_token_secret", tokens.tokenSecret);
    return sessionOf(
      await this.auth(":signInWithIdp", {
        requestUri: "http://localhost",
        postBody: String(postBody),
        returnSecureToken: true,
      }),
    );
  }

  async signInWithProvider(providerId, claims, more = {}) {
    const postBody = new URLSearchParams({ id_token: JSON.stringify(claims), providerId });
    return sessionOf(
      await this.auth(":signInWithIdp", {
        requestUri: "http://localhost",
        postBody: String(postBody),
        returnSecureToken: true,
        returnIdpCredential: true,
        ...more,
      }),
    );
  }

  /** @param {Session} session */
  async refresh({ refreshToken }) {
    const fresh = await call(this.url, "POST", "/securetoken.googleapis.com/v1/token", {
      body: { grant_type: "refresh_token", refresh_token: refreshToken },
      query: { key: this.apiKey },
    });
    return sessionOf({ idToken: fresh.id_token, refreshToken: fresh.refresh_token });
  }

  async actAs(localId, claims) {
    return sessionOf(await this.control("POST", "/accounts:actAs", { body: { localId, claims } }));
  }
}

/** An unsigned custom token, which is good unless the switch `acceptUnsignedTokens` is off. */
function customToken(localId, claims) {
  return JSON.stringify({ uid: localId, claims });
}

module.exports = { Accounts, SecondFactorRequired, customToken, sessionOf };
