/** A refusal of the server, or a wait in vain. */
export class HearthError extends Error {
  /** Such as `EMAIL_EXISTS` or `NOT_FOUND`. */
  readonly code: string;
  /** 0 where there was no answer. */
  readonly httpStatus: number;
  /** The message of the server. */
  readonly reason: string;
}

/** The password is right, and a second factor is asked for. */
export class SecondFactorRequired extends HearthError {
  readonly pendingCredential: string;
  readonly factors: Record<string, unknown>[];
}

/** An unsigned custom token, which is good unless the switch `acceptUnsignedTokens` is off. */
export function customToken(localId: string, claims?: Record<string, unknown>): string;

/** A signed-in user. */
export interface Session {
  localId: string;
  /** What the app sends to its back end. */
  idToken: string;
  refreshToken: string;
  /** The claims of the ID token, which are not verified here. */
  claims: Record<string, any>;
}

/** A user's account, with the names of the API. */
export interface Account {
  localId: string;
  email?: string;
  emailVerified?: boolean;
  displayName?: string;
  phoneNumber?: string;
  disabled?: boolean;
  /** The custom claims. */
  claims: Record<string, unknown>;
  [member: string]: unknown;
}

export interface NewUser {
  email?: string;
  password?: string;
  localId?: string;
  displayName?: string;
  phoneNumber?: string;
  emailVerified?: boolean;
  disabled?: boolean;
  claims?: Record<string, unknown>;
}

export type MailType =
  | "PASSWORD_RESET" | "VERIFY_EMAIL" | "EMAIL_SIGNIN" | "VERIFY_AND_CHANGE_EMAIL"
  | "RECOVER_EMAIL" | "SMS" | "PUSH" | "NEW_PASSWORD" | "NOTICE"
  | "reset" | "verify" | "magic" | "otp" | "none";

/** A mail or a text message in the mailbox of a project. */
export interface Mail {
  id: string;
  to: string;
  from: string;
  subject: string;
  type: MailType;
  /** `auth`, or the way in which the app sent it: `smtp`, `resend` … */
  source: string;
  code?: string;
  link?: string;
  /** The secret in the link. */
  linkToken?: string;
  codes: string[];
  links: string[];
  /** What became of the code. */
  state: "pending" | "used" | "expired";
  createdAt: string;
  expiresAt?: string;
  locale: string;
  text: string;
  html: string;
  /** What only push messages have. */
  push?: {
    name: string;
    target: { kind: "token" | "fid" | "topic" | "condition"; value: string };
    notification?: { title?: string; body?: string; image?: string };
    data: Record<string, string>;
    deviceCount: number;
  };
  /** How a text message travels. */
  sms?: { encoding: "GSM-7" | "UCS-2"; segments: number };
  [member: string]: unknown;
}

/** A device that gets push messages. */
export interface PushDevice {
  token: string;
  fid: string;
  platform: "android" | "ios" | "web";
  /** What a send to it ends with. */
  state:
    | "registered" | "unregistered" | "senderIdMismatch" | "quotaExceeded"
    | "thirdPartyAuthError" | "invalidArgument" | "unavailable" | "internalError";
  topics: string[];
  name?: string;
  /** What it shows localisation keys in, such as `de`. */
  language?: string;
}

export interface MailFilter {
  type?: MailType;
  /** Only mails that are newer than this one. */
  after?: Mail;
  /** Only mails that were sent then or later, by the project's clock. */
  since?: Date | string;
  state?: "pending" | "used" | "expired" | "any";
  /** Such as `from:shop has:attachment`. */
  search?: string;
}

export interface Waiting extends MailFilter {
  /** Milliseconds; 10 000 without it. */
  within?: number;
}

/** The time of a project. */
export interface Clock {
  now: Date;
  /** The distance to the machine's time, such as `PT2H`. */
  offset: string;
  frozen: boolean;
}

export type Effect =
  | { error: string } | { status: number; text?: string }
  | { latency: string | { min: string; max: string } }
  | { drop: "before" | "after" } | { slowBody: string } | { contention: number };

export interface Fault {
  operation?: string;
  effect: Effect;
  times?: number;
  share?: number;
  every?: number;
  seed?: number;
  email?: string;
}

/** A call in the request log of a project. */
export interface LoggedRequest {
  id: string | number;
  operation: string;
  method: string;
  path: string;
  status: number;
  error?: string;
  [member: string]: unknown;
}

export interface Snapshot {
  name: string;
  createdAt: string;
  bytes: number;
}

/**
 * Plain values, `Date`, bytes, and what JavaScript does not have: `{ $reference: "users/ann" }`,
 * `{ $geopoint: [51.5, -0.1] }`, `{ $vector: [1, 2] }`, `{ $double: 1 }`.
 */
export type Fields = Record<string, unknown>;

interface InDatabase {
  database?: string;
}

interface AsUser extends InDatabase {
  /** The user whom the rules judge; without it, an administrator. */
  session?: Session;
}

/** Calls of one project on a server: users, mails, clock, faults, documents, rules. */
export class HearthClient {
  /** The client of the server that the environment names; undefined where it names none. */
  static fromEnvironment(environment?: Record<string, string | undefined>): HearthClient | undefined;

  constructor(url: string, project?: string);
  /** The address of the server. Each of its ports answers all calls. */
  readonly url: string;
  /** The id of the project. */
  readonly project: string;
  /** The API key that selects this project. */
  readonly apiKey: string;

  /** A client of a new project on the same server. */
  isolatedProject(): HearthClient;
  /** A client of a new project that holds what a snapshot of this one holds. */
  forkSnapshot(name: string, to?: string): Promise<HearthClient>;
  /**
   * A client of a new project that is as this one was after a request of the log, or at a time of its
   * clock, and what could not be rebuilt, in words.
   */
  rewind(
    moment: Pick<LoggedRequest, "id"> | Date | string,
    options?: { to?: string },
  ): Promise<{ client: HearthClient; notRebuilt: string[] }>;
  /** Deletes all that the project holds, with its settings, faults and clock. */
  clear(): Promise<void>;
  /** Adds what a seed says: users, documents, switches …, in YAML or JSON. */
  seed(content: string): Promise<void>;

  createUser(user?: NewUser): Promise<string>;
  setClaims(localId: string, claims: Record<string, unknown>): Promise<void>;
  /** With the names of the API: `{ disableUser: true }`. */
  updateUser(localId: string, changes: Record<string, unknown>): Promise<void>;
  deleteUser(localId: string): Promise<void>;
  deleteAllAccounts(): Promise<void>;
  /** `search` is a part of uid, address, number or name. */
  users(search?: string, limit?: number): Promise<Account[]>;
  user(email: string): Promise<Account | undefined>;
  lookup(session: Session): Promise<Account>;

  signUp(email: string, password: string): Promise<Session>;
  /** Throws `SecondFactorRequired` where a second factor is enrolled. */
  signIn(email: string, password: string): Promise<Session>;
  signInAnonymously(): Promise<Session>;
  signInWithEmailLink(email: string, code: string): Promise<Session>;
  signInWithCustomToken(token: string): Promise<Session>;
  /** Lets the identity providers know somebody: `email`, `displayName`, `groups`, `denies` … */
  putPersona(name: string, persona: Record<string, unknown>): Promise<void>;
  /** Signs in as a persona, with tokens that a provider of Hearth's has signed. */
  signInWithPersona(name: string, providerId?: string): Promise<Session>;
  /** `claims` needs `sub`, and may have `email`. */
  signInWithProvider(
    provider: string, claims: Record<string, unknown>, more?: Record<string, unknown>,
  ): Promise<Session>;
  /** Reads the code from the mailbox. */
  signInWithPhone(phoneNumber: string, options?: { within?: number }): Promise<Session>;
  /** The code that an authenticator app shows, by the clock of the project; `periods` is 1 for the next. */
  totpCode(secret: string, periods?: number): Promise<string>;
  /** Adds an authenticator app as a second factor. The user's address must be verified. */
  enrollTotp(
    session: Session, options?: { displayName?: string },
  ): Promise<{ secret: string; session: Session }>;
  /** With `totpSecret`, a code counts once, and after it the code that comes next. */
  signInWithSecondFactor(
    required: SecondFactorRequired,
    options?: { phoneNumber?: string; totpCode?: string; totpSecret?: string },
  ): Promise<Session>;
  refresh(session: Session): Promise<Session>;
  /** A session of a user without a sign-in. `claims` are in its ID token only. */
  actAs(localId: string, claims?: Record<string, unknown>): Promise<Session>;

  sendPasswordReset(email: string, options?: { locale?: string }): Promise<void>;
  sendOobCode(type: MailType, options?: {
    email?: string; session?: Session; newEmail?: string; continueUrl?: string; locale?: string;
  }): Promise<void>;
  resetPassword(code: string, newPassword: string): Promise<void>;
  applyCode(code: string): Promise<void>;

  /** The newest matching mail; waits for one. When the time is over, the error lists what is there instead. */
  waitForMail(to?: string, options?: Waiting): Promise<Mail>;
  waitForCode(to?: string, options?: Waiting): Promise<string>;
  waitForLink(to?: string, options?: Waiting): Promise<string>;
  /** The newest push message to a token, `topic:name` or condition; waits for one. */
  waitForPush(to?: string, options?: Waiting): Promise<Mail>;
  waitForSMS(to?: string, options?: Waiting): Promise<Mail>;
  /** Registers a device for push messages, or changes the one with the token. */
  registerDevice(device?: Partial<PushDevice>): Promise<PushDevice>;
  mails(options?: MailFilter & { to?: string; limit?: number }): Promise<Mail[]>;
  latestMail(to?: string, options?: MailFilter): Promise<Mail | undefined>;
  deleteMails(search?: string): Promise<void>;

  clock(): Promise<Clock>;
  /** By `"2h"`, or milliseconds. */
  advanceClock(by: string | number): Promise<Clock>;
  setClock(now: Date | string, options?: { frozen?: boolean }): Promise<Clock>;
  freezeClock(frozen?: boolean): Promise<Clock>;
  resetClock(): Promise<Clock>;

  /** A token of App Check for an app; `lifetime` in seconds. */
  appCheckToken(appId?: string, options?: { limitedUse?: boolean; lifetime?: number }): Promise<string>;
  /** Which calls brought a token of App Check that counts. */
  appCheckReport(): Promise<{ verified: number; unverified: number; refused: number; [more: string]: unknown }>;

  addFault(operation: string, effect: Effect, more?: Omit<Fault, "operation" | "effect">): Promise<void>;
  setFaults(faults: Fault[]): Promise<void>;
  faults(): Promise<(Fault & { hits: number; remaining?: number })[]>;
  clearFaults(): Promise<void>;

  /** `operation` may have `*`; `status` is 403, "4xx" or "failed". */
  requests(filters?: {
    operation?: string; status?: number | string; [filter: string]: unknown;
  }): Promise<LoggedRequest[]>;
  /** Waits until so many calls have been made; else the error lists those that were. */
  waitForRequests(
    operation: string, options?: { status?: number | string; times?: number; within?: number },
  ): Promise<LoggedRequest[]>;
  clearRequests(): Promise<void>;

  switches(): Promise<Record<string, boolean | number | string>>;
  setSwitches(switches: Record<string, boolean | number | string>): Promise<void>;

  saveSnapshot(name: string, options?: { replace?: boolean }): Promise<Snapshot>;
  snapshots(): Promise<Snapshot[]>;
  restoreSnapshot(name: string, options?: { keepClock?: boolean }): Promise<void>;
  deleteSnapshot(name: string): Promise<void>;

  /** Writes documents by their paths: `{ "users/ann": { name: "Ann" } }`; no rules are asked. */
  setDocuments(documents: Record<string, Fields>, options?: InDatabase): Promise<void>;
  document(path: string, options?: AsUser): Promise<Record<string, any> | undefined>;
  documents(collection: string, options?: AsUser): Promise<Record<string, Record<string, any>>>;
  /** Deletes a document and what is below it, or a collection. */
  deleteDocument(path: string, options?: InDatabase): Promise<void>;
  deleteAllDocuments(options?: InDatabase): Promise<void>;
  /** Sets the security rules of the project, and returns warnings about them. */
  setRules(source: string): Promise<Record<string, unknown>[]>;
  evaluateRules(
    method: "get" | "list" | "create" | "update" | "delete", path: string,
    options?: { auth?: { uid: string; token?: object } | null; data?: Fields; [more: string]: unknown },
  ): Promise<{ allowed: boolean; reason: string; [member: string]: unknown }>;
}

export interface ServerOptions {
  /** Flags of the server, such as `["--rules", "firestore.rules"]`; they count for a new one only. */
  flags?: string[];
  binary?: string;
  /** Milliseconds for its start. */
  timeout?: number;
}

/** A server that runs already, or one that was started for this process. */
export class HearthServer {
  /** The server that the environment names, else a new one. */
  static find(options?: ServerOptions): Promise<HearthServer>;
  /** The server that the environment names; undefined where it names none. */
  static running(environment?: Record<string, string | undefined>): Promise<HearthServer | undefined>;
  /** Starts a server on free ports. It ends with this process, also when that is killed. */
  static start(options?: ServerOptions): Promise<HearthServer>;

  private constructor();
  readonly url: string;
  /** The variables by which SDKs and the commands of hearth find the server. */
  readonly environment: Record<string, string>;
  /** The latest that a server that was started here has logged. */
  readonly log: string;
  /** A client of a project; without an id, of the default project. */
  client(project?: string): HearthClient;
  isolatedProject(): HearthClient;
  /** Ends the server, if it was started here. */
  stop(): Promise<void>;
}

export interface Hooks {
  beforeAll(hook: () => unknown): unknown;
  afterAll(hook: () => unknown): unknown;
  beforeEach(hook: () => unknown): unknown;
  afterEach(hook: () => unknown): unknown;
}

/**
 * A server for the tests of a file, and a new project for each test, which is cleared afterwards. What it
 * returns is the client of the running test's project. SDKs find both by their variables.
 *
 * `project` and `apiKey` are there in tests and in `beforeEach`. Tests that run side by side in one file
 * take `isolatedProject()`: with `node:test`, what they share throws.
 */
export function setupHearth(
  options?: ServerOptions, hooks?: Hooks,
): HearthClient & { readonly server: HearthServer };
