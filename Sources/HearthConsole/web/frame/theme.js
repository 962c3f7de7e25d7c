// What one has chosen of the look, before anything is painted. Not a module: those run later.
"use strict";
for (const name of ["theme", "density"]) {
  const chosen = localStorage.getItem(`hearth.${name}`);
  if (chosen) document.documentElement.dataset[name] = chosen;
}
