// What the cook may not or will not eat and what is in the cupboard, kept on this device.
// Diets and allergens are toggles named by the server, other foods to avoid and the cupboard are lists.
// Every change is stored, summed up in the closed panel's heading, and reported to whoever listens.

import * as api from "./api.js";
import { capitalized, element, find } from "./dom.js";
import { createWordList } from "./word_list.js";

const STORE = "swapchef.wishes";
const NONE = { diet: [], avoid: [], have: [], onlyHave: false };
const DIETS = ["vegan", "vegetarian", "pescatarian", "no_pork", "no_alcohol"]; // the rest are allergens

export const spokenFacet = (facet) => facet.replaceAll("_", " ");
const isDiet = (facet) => DIETS.includes(facet);

export class Wishes {
  #kept;
  #onChange;

  constructor(diets, onChange) {
    this.#kept = stored(diets);
    this.#onChange = onChange;
    this.#addToggles(diets);
    this.#addLists();
    this.#closeOnEscape();
    this.#show();
    find("#wishes").hidden = false;
  }

  get isOnlyHave() {
    return this.#kept.onlyHave;
  }

  // In words: "vegan", "no peanut".
  get limits() {
    const facets = this.#kept.diet.map((facet) => (isDiet(facet) ? spokenFacet(facet) : `no ${spokenFacet(facet)}`));
    return [...facets, ...this.#kept.avoid.map((food) => `no ${food}`)];
  }

  // As the API wants them.
  get asked() {
    const { have, diet, avoid, onlyHave } = this.#kept;
    return { have: onlyHave ? have : null, diet, avoid, unknown: false };
  }

  leaveCupboard() {
    this.#change({ onlyHave: false });
  }

  #change(part) {
    Object.assign(this.#kept, part);
    store(this.#kept);
    this.#show();
    this.#onChange();
  }

  #show() {
    const { avoid, have, onlyHave } = this.#kept;
    this.avoid.show(avoid);
    this.have.show(have);
    this.onlyHave.checked = onlyHave;
    this.onlyHave.parentElement.hidden = have.length === 0;
    const parts = onlyHave ? [...this.limits, "only what I have"] : this.limits;
    find("#wishes-summary").textContent = capitalized(parts.join(", ") || "anything goes");
  }

  #addToggles(diets) {
    for (const { name, meaning } of diets) {
      const toggle = ({ target }) => {
        const others = this.#kept.diet.filter((each) => each !== name);
        this.#change({ diet: target.checked ? [...others, name] : others });
      };
      const box = element("input", { type: "checkbox", name, checked: this.#kept.diet.includes(name), change: toggle });
      find(isDiet(name) ? "#diets .toggles" : "#allergens .toggles").append(
        element("label", { class: "toggle", title: meaning }, box, element("span", {}, capitalized(spokenFacet(name)))));
    }
  }

  #addLists() {
    this.avoid = createWordList(find("#avoid"), {
      name: "avoid",
      label: "I also avoid",
      placeholder: "cilantro, coconut…",
      vet: (words) => api.understand({ avoid: words }),
      onChange: (avoid) => this.#change({ avoid }),
    });
    this.have = createWordList(find("#have"), {
      name: "have",
      label: "What I have",
      placeholder: "yogurt, milk, lemon juice…",
      vet: (words) => api.understand({ have: words }),
      // Whoever begins a list wants it used; whoever turned it off wants it left off.
      onChange: (have) => this.#change({ have, onlyHave: have.length > 0 && (this.isOnlyHave || this.#kept.have.length === 0) }),
    });
    this.onlyHave = element("input", { type: "checkbox", change: ({ target }) => this.#change({ onlyHave: target.checked }) });
    find("#have").append(element("label", { class: "switch" }, this.onlyHave, "Suggest only what I have"));
  }

  #closeOnEscape() {
    const panel = find("#wishes");
    panel.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      panel.open = false;
      find("summary", panel).focus();
    });
  }
}

// A browser that stores nothing is a browser that remembers nothing: the page works all the same.
function stored(diets) {
  try {
    const kept = { ...NONE, ...JSON.parse(localStorage.getItem(STORE)) };
    const known = new Set(diets.map((diet) => diet.name));
    return { ...kept, diet: kept.diet.filter((name) => known.has(name)) };
  } catch {
    return { ...NONE };
  }
}

function store(kept) {
  try {
    localStorage.setItem(STORE, JSON.stringify(kept));
  } catch {
    // see `stored`
  }
}
