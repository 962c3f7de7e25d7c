// Addresses of views: `#/view/part/part?name=value`, so that each state of a view is a link.

const decoded = (segment) => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

/** The parts of an address. */
export function parse(hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const [name, ...rest] = path.split("/").map(decoded);
  return {
    name,
    path: rest.filter((part, index) => part || index),
    params: new URLSearchParams(query),
  };
}

/** The address of a view; parameters without a value are left out. */
export function linkTo(name, path = [], params = {}) {
  const wanted = Object.entries(params).filter(
    ([, value]) => value !== "" && value !== false && value !== undefined && value !== null,
  );
  const query = new URLSearchParams(wanted).toString();
  return ["#", name, ...path.map(encodeURIComponent)].join("/") + (query && `?${query}`);
}

/** Changes the address without showing the view again: what is typed into a filter is kept in it. */
export function note(name, path, params) {
  const link = linkTo(name, path, params);
  if (location.hash !== link) history.replaceState(history.state, "", link);
}
