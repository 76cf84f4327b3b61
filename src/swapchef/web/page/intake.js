// How a recipe comes in: pasted, dropped or chosen as a file, fetched from an address, or one of the examples.
// Each way ends in the same call of the server, whose answer is handed on.
// It reads one recipe at a time; what goes wrong is said below the forms and loses nothing that was typed.

import * as api from "./api.js";
import { announce, find } from "./dom.js";
import { takeDrops } from "./drops.js";
import { trouble, waiting } from "./states.js";

const ADDRESS = /^\s*https?:\/\/\S+\s*$/i;

export function startIntake(canImport, onRecipe) {
  const section = find("#from-recipe");
  const state = find("#intake-state");
  let isReading = false;

  function say(what) {
    state.replaceChildren(what);
    state.scrollIntoView({ block: "nearest" });
  }

  async function take(reading, again) {
    if (isReading) return;
    isReading = true;
    say(waiting("Reading the recipe…"));
    announce("Reading the recipe.");
    try {
      onRecipe(await reading());
      state.replaceChildren();
    } catch (error) {
      say(trouble(error, again));
    } finally {
      isReading = false;
    }
  }
  const from = (reading) => {
    const again = () => take(reading, again);
    return again();
  };

  find("#paste-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const text = find("#paste").value;
    from(() => (canImport && ADDRESS.test(text) ? api.parseAddress(text.trim()) : api.parseText(text)));
  });

  find("#address-form").hidden = !canImport;
  find("#address-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const address = find("#address").value;
    from(() => api.parseAddress(address));
  });

  find("#file").addEventListener("change", ({ target }) => {
    const [file] = target.files;
    if (file) from(() => api.parseFile(file));
    target.value = ""; // so that the same file can be chosen again
  });
  takeDrops(section, "Drop the recipe here", (file) => from(() => api.parseFile(file)));

  for (const button of section.querySelectorAll("[data-example]")) {
    button.addEventListener("click", () => from(() => example(button.dataset.example)));
  }
  find("#ways").inert = false;
}

async function example(address) {
  const response = await fetch(address).catch(() => null);
  if (!response?.ok) throw new api.Trouble("The example could not be fetched. Check that swapchef is still running.", true);
  return api.parseText(await response.text());
}
