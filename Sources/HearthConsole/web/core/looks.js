// Light or dark, compact or comfortable: chosen here, remembered in this browser.

/** What can be chosen, with the name of what is meant where nothing is. */
export const looks = {
  theme: [["", "As the system"], ["light", "Light"], ["dark", "Dark"]],
  density: [["", "Compact"], ["comfortable", "Comfortable"]],
};

export const lookOf = (name) => document.documentElement.dataset[name] ?? "";

export function choose(name, value) {
  const { dataset } = document.documentElement;
  if (value) {
    dataset[name] = value;
    localStorage.setItem(`hearth.${name}`, value);
  } else {
    delete dataset[name];
    localStorage.removeItem(`hearth.${name}`);
  }
}
