// The dish of a photo, and what the cook does with it: remove what was seen by mistake, add what was missed, swap.
// The server keeps nothing, so every answer is asked for with the photo and all changes so far. A swap is cooked at once; removing and adding wait
// for "Cook again", since several of them go together and each answer takes seconds.

import * as api from "./api.js";
import { UNCHANGED, added, ingredientsOf, named, putBack, removed, swapUndone, swapped } from "./dish.js";
import { changesOf, chipOf, notesOf, recipesOf } from "./dish_view.js";
import { announce, element, find } from "./dom.js";
import { attempt, trouble, waiting } from "./states.js";
import { SwapPanel } from "./swap_panel.js";
import { createWordList } from "./word_list.js";

export class DishCard {
  // `open(parsed)` lays a recipe on the table, where it is worked on.
  constructor(root, wishes, open) {
    Object.assign(this, { root, wishes, open, answer: null, dietSwaps: [], panel: null, asking: new AbortController() });
    root.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
    });
  }

  clear() {
    this.asking.abort();
    this.panel?.abort();
    Object.assign(this, { answer: null, panel: null });
    this.root.replaceChildren();
    this.root.hidden = true;
  }

  async lay(photo) {
    this.clear();
    this.photo = photo;
    this.edits = UNCHANGED;
    await this.ask();
    this.root.hidden = false;
    find("#dish-title", this.root).focus();
    announce(`${this.answer.ingredients.length} ingredients seen.`);
  }

  // The wishes changed: swaps are asked for again at once, the recipes when the cook says so.
  refresh() {
    if (!this.answer) return;
    this.panel?.load();
    this.drawAgain();
  }

  async ask() {
    this.asking.abort();
    this.asking = new AbortController();
    const { edits, wishes: { asked: wishes }, asking: { signal } } = this;
    this.answer = await api.cook(this.photo, edits, wishes, signal);
    this.dietSwaps = this.answer.swaps.slice(edits.swaps.length);
    const cooked = named(edits, this.answer);
    this.cooked = textOf(cooked, wishes);
    if (this.edits === edits) this.edits = cooked; // else the cook went on meanwhile, and may cook again
    this.draw();
  }

  change(edits, name) {
    this.close();
    this.edits = edits;
    this.drawSeen();
    this.drawAgain();
    const chip = this.chip(name); // gone, if it was added by hand and removed again
    find(chip ? "button" : "#added-field", chip ?? this.root).focus();
  }

  async cookAgain() {
    const state = find(".again-state", this.root);
    const button = find(".again button", this.root);
    button.disabled = true;
    state.replaceChildren(waiting("Cooking again… This takes a few seconds.", 1));
    state.scrollIntoView({ block: "nearest" });
    announce("Cooking again.");
    try {
      await this.ask();
      const { swaps } = this.answer;
      announce(swaps.map(({ source, target }) => `${target} instead of ${source}.`).join(" ") || "The recipe is written anew.");
      find("#recipes-title", this.root).focus();
    } catch (error) {
      if (error.name === "AbortError") return;
      button.disabled = false;
      state.replaceChildren(trouble(error, () => this.cookAgain()));
    }
  }

  swap(name) {
    const isOpen = this.panel?.name === name;
    this.close();
    if (isOpen) return;
    const { names } = this;
    const panel = new SwapPanel({
      recipe: listOf(names),
      line: { number: names.indexOf(name) + 1, text: name, matches: [name] },
      wishes: this.wishes,
      take: async (_, target) => this.take(name, target),
      turnDown: null,
      close: () => this.close(),
    });
    this.panel = Object.assign(panel, { name });
    find(".swap-place", this.root).replaceChildren(panel.element);
    this.swapButton(name).setAttribute("aria-expanded", "true");
    panel.element.scrollIntoView({ block: "nearest" });
  }

  close() {
    if (!this.panel) return;
    const { name } = this.panel;
    this.panel.abort();
    this.panel.element.remove();
    this.panel = null;
    this.swapButton(name).setAttribute("aria-expanded", "false");
    this.swapButton(name).focus();
  }

  take(name, target) {
    this.change(swapped(this.edits, name, target), name);
    this.cookAgain(); // tells of its own trouble
  }

  get ingredients() {
    return ingredientsOf(this.answer.ingredients, this.edits, this.dietSwaps);
  }

  // Of what is cooked with.
  get names() {
    return this.ingredients.filter(({ isRemoved }) => !isRemoved).map(({ name }) => name);
  }

  chip(name) {
    return find(`[data-food="${CSS.escape(name)}"]`, this.root);
  }

  swapButton(name) {
    return find("[aria-expanded]", this.chip(name));
  }

  draw() {
    this.panel?.abort();
    this.panel = null;
    const onOpen = (text, button) =>
      attempt(button, button.parentElement, async () => {
        this.open(await api.parseText(text));
        button.disabled = false;
      });
    this.root.replaceChildren(
      element("h2", { id: "dish-title", tabindex: "-1" }, "Seen in the photo"),
      ...notesOf(this.answer),
      element("p", { class: "hint" }, "Correct what was seen, or swap what you lack, cannot eat or do not like."),
      element("ul", { class: "seen", "aria-labelledby": "dish-title" }),
      element("div", { class: "swap-place" }),
      this.adding(),
      element("div", { class: "again" },
        element("p", {}, "You have changed something since this was cooked."),
        element("button", { type: "button", class: "primary", click: () => this.cookAgain() }, "Cook again")),
      element("div", { class: "again-state state" }),
      element("h2", { id: "recipes-title", tabindex: "-1" }, this.answer.swapped_recipe ? "Both recipes" : "Recipe"),
      recipesOf(this.answer, onOpen),
      changesOf(this.answer) ?? "");
    this.drawSeen();
    this.drawAgain();
  }

  drawSeen() {
    const act = {
      swap: (name) => this.swap(name),
      undo: (name) => this.change(swapUndone(this.edits, name), name),
      remove: (name) => {
        this.change(removed(this.edits, name), name);
        announce(`${name} removed.`);
      },
      putBack: (name) => this.change(putBack(this.edits, name), name),
    };
    find(".seen", this.root).replaceChildren(...this.ingredients.map((each) => chipOf(each, act)));
  }

  drawAgain() {
    const isChanged = this.cooked !== textOf(this.edits, this.wishes.asked);
    find(".again", this.root).hidden = !isChanged;
    find(".again button", this.root).disabled = false;
    find(".dishes", this.root).classList.toggle("stale", isChanged);
    find(".again-state", this.root).replaceChildren();
  }

  adding() {
    const place = element("div", { class: "adding" });
    createWordList(place, {
      name: "added",
      label: "Add what was not seen",
      placeholder: "garlic, salt…",
      vet: (words) => api.understand({ have: words }),
      onChange: (words) => this.change(added(this.edits, words), words.at(-1)),
    }).show([]); // what is added becomes a chip among the others
    return place;
  }
}

// A list of ingredients as the API takes a recipe.
const listOf = (names) => ({ "@type": "Recipe", name: "Dish", recipeIngredient: names });

// What was asked for, as text, to see whether anything has changed since.
const textOf = (edits, { diet, avoid }) => JSON.stringify([edits, diet, avoid]);
