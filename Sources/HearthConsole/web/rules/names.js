// The names that can stand at a place in the rules.

const always = [
  ...["service", "match", "allow", "function", "return", "rules_version", "database", "documents"],
  ...["read", "write", "create", "update", "delete", "get", "list"],
  ...["request", "resource", "exists", "getAfter", "existsAfter", "debug", "null", "true", "false"],
];
/** What comes after a point, by the word before it. */
const members = {
  request: ["auth", "method", "path", "query", "resource", "time"],
  auth: ["uid", "token"],
  token: ["email", "email_verified", "phone_number", "name", "firebase"],
  firebase: ["identities", "sign_in_provider", "tenant"],
  resource: ["data", "id", "__name__"],
  query: ["limit", "offset", "orderBy"],
};
const methods = [
  ...["keys", "values", "diff", "affectedKeys", "hasAll", "hasAny", "hasOnly", "size", "matches"],
  ...["toMillis", "lower", "upper", "split", "trim", "removeAll", "toSet", "get"],
];

/** The word that ends at a place, and the one before its point. */
function around(source, at) {
  const [, owner, word] = /(?:(\w+)\s*\.\s*)?(\w*)$/.exec(source.slice(0, at));
  const isMember = /\.\s*\w*$/.test(source.slice(0, at));
  return { owner: isMember ? owner ?? "" : null, word };
}

/**
 * What can be written at a place: `{ word, found }`; `word` is what is there already. `known` has the
 * names of the project: `{ collections, fields }`.
 */
export function completions(source, at, { collections = [], fields = [] } = {}) {
  const { owner, word } = around(source, at);
  if (owner === null && word.length < 2) return { word, found: [] };
  const isPath = /\/\w*$/.test(source.slice(0, at));
  const own = source.match(/\b[A-Za-z_]\w{2,}\b/g) ?? [];
  const all = isPath
    ? collections
    : owner === null
    ? [...always, ...own]
    : owner === "data"
    ? fields
    : members[owner] ?? [...methods, ...fields];
  const found = [...new Set(all)].filter((name) =>
    name !== word && name.toLowerCase().startsWith(word.toLowerCase())
  );
  return { word, found: found.slice(0, 8) };
}
