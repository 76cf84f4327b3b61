// The recipe on the table, and what the cook does with it: open a line's swaps, take one, undo.
// It keeps every version since the recipe came in; a swap adds one and undo takes one away.
// Every version is drawn anew, so each of these ends by putting the focus where the cook was.

import * as api from "./api.js";
import { DietCheck } from "./diet_check.js";
import { announce, element, find, icon } from "./dom.js";
import { exportTools } from "./exporting.js";
import { afterSwap, recipeOf } from "./recipe.js";
import { headOf, ingredientsOf, methodOf } from "./recipe_view.js";
import { trouble } from "./states.js";
import { SwapPanel } from "./swap_panel.js";

export class RecipeCard {
  constructor(root, wishes, keepsFeedback) {
    Object.assign(this, { root, wishes, keepsFeedback, versions: [], panel: null });
    this.dietCheck = new DietCheck(root, wishes, (swaps, line) => this.take(swaps, line));
    root.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
    });
  }

  get recipe() {
    return this.versions.at(-1);
  }

  lay(parsed) {
    this.versions = [recipeOf(parsed)];
    this.draw();
    find("h1", this.root).focus();
  }

  // The wishes changed: whatever depends on them is asked for again.
  refresh() {
    if (this.versions.length === 0) return;
    this.panel?.load();
    this.dietCheck.run(this.recipe.source);
  }

  open(line) {
    const isOpen = this.panel?.line === line;
    this.close();
    if (isOpen) return;
    this.panel = new SwapPanel({
      recipe: this.recipe.source,
      line,
      wishes: this.wishes,
      take: (ingredient, target) => this.take([{ ingredient, with: target }], line.number),
      turnDown: this.keepsFeedback ? (source, target) => this.tell(source, target, false) : null,
      close: () => this.close(),
    });
    this.row(line.number).append(this.panel.element);
    this.markOpen(line.number, true);
    bringUp(this.row(line.number));
  }

  close() {
    if (!this.panel) return;
    const { line } = this.panel;
    this.panel.abort();
    this.panel.element.remove();
    this.panel = null;
    this.markOpen(line.number, false).focus();
  }

  markOpen(number, isOpen) {
    const row = this.row(number);
    const button = find(".line-button", row);
    row.classList.toggle("open", isOpen);
    button.setAttribute("aria-expanded", isOpen);
    return button;
  }

  // Swaps as the API takes them; the focus goes to the line with that number.
  async take(swaps, number) {
    const before = this.recipe;
    const swapped = await api.swap(before.source, swaps, this.wishes.asked);
    if (this.recipe !== before) return; // another swap, or another recipe, was quicker
    const next = afterSwap(before, swapped);
    const made = next.swaps.slice(before.swaps.length);
    if (this.keepsFeedback) made.forEach(({ source, target }) => this.tell(source, target, true));
    this.versions.push(next);
    this.draw();
    find(".line-button", this.row(number))?.focus();
    announce(made.map(({ source, target }) => `${target} instead of ${source}.`).join(" "));
  }

  undo() {
    const undone = this.versions.pop();
    this.draw();
    (find(".undo:enabled", this.root) ?? find("h1", this.root)).focus();
    const made = undone.swaps.slice(this.recipe.swaps.length);
    announce(`Undone: ${made.map(({ source }) => source).join(", ")} again.`);
  }

  tell(source, target, accepted) {
    const names = this.recipe.lines.flatMap((line) => line.matches);
    // The cook's swap does not depend on whether somebody may learn from it.
    api.feedback({ recipe_ingredients: [...new Set(names)], source, target, accepted }).catch(() => {});
  }

  row(number) {
    return find(`[data-line="${number}"]`, this.root);
  }

  draw() {
    this.panel?.abort();
    this.panel = null;
    document.title = `${this.recipe.title.text} · swapchef`;
    this.root.replaceChildren(
      headOf(this.recipe),
      element("div", { class: "recipe-body" }, ingredientsOf(this.recipe, (line) => this.open(line)), methodOf(this.recipe)),
      this.tools());
    this.dietCheck.run(this.recipe.source);
  }

  tools() {
    const state = element("div", { class: "tools-state" });
    const undo = element("button", { type: "button", class: "undo", click: () => this.undo() }, icon("undo"),
      element("span", { class: "label" }, "Undo"));
    undo.disabled = this.versions.length < 2;
    const report = (error) => state.replaceChildren(trouble(error));
    return element("div", { class: "tools", role: "group", "aria-label": "Use this recipe" },
      undo, exportTools(() => this.recipe.source, report), state);
  }
}

// Swaps that open low on the screen would open out of sight.
function bringUp(row) {
  if (row.getBoundingClientRect().top < innerHeight / 3) return;
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  row.scrollIntoView({ block: "start", behavior: isStill ? "auto" : "smooth" });
}
