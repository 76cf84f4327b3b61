// Draws the dish of a photo: what was seen as chips, both recipes, what differs between them, and what to mind.

import { diffLines, spokenConfidence } from "./dish.js";
import { capitalized, element, icon, unseen } from "./dom.js";

// What to mind stands first: a photo does not show what somebody is allergic to.
export const notesOf = ({ notes }) => notes.map((note) => banner("warning", note));

// `act` has what the buttons of a chip do: { swap, undo, remove, putBack }, each with its name.
export function chipOf({ name, confidence, isRemoved, target, isOwn }, act) {
  const words = isRemoved ? "removed" : confidence === null ? "added by you" : spokenConfidence(confidence);
  const text = element("div", { class: "food" }, nameOf(name, isRemoved, target), " ", element("small", {}, words));
  const buttons = isRemoved
    ? [labelled("undo", "Put back", name, act.putBack)]
    : [
        labelled("swap", "Swap", name, act.swap, { "aria-expanded": "false" }),
        isOwn ? labelled("undo", "Undo", `the swap of ${name}`, act.undo) : null,
        element("button", { type: "button", class: "quiet", "aria-label": `Remove ${name}`, click: () => act.remove(name) },
          icon("close")),
      ];
  return element("li", { class: `seen-chip${isRemoved ? " removed" : ""}`, "data-food": name }, text,
    element("div", { class: "chip-acts" }, buttons.filter(Boolean)));

  function labelled(sign, label, what, click, attributes = {}) {
    return element("button", { type: "button", class: "quiet", ...attributes, click: () => click(name) },
      icon(sign), label, unseen(` ${what}`));
  }
}

function nameOf(name, isRemoved, target) {
  if (isRemoved) return element("del", {}, name);
  if (!target) return element("strong", {}, name);
  return element("strong", {}, element("del", {}, name), unseen(" replaced by"), " ", element("ins", {}, target));
}

// `onOpen(text, button)` goes on with a recipe where recipes are worked on.
export function recipesOf({ recipe, recipe_keeps_to_wishes: keeps, swapped_recipe: after, collapses, swaps }, onOpen) {
  const before = keeps === false ? "As in the photo, not kept to your wishes" : "As in the photo";
  const draw = (written, which, label) => recipeOf(written, label, collapses[which], onOpen);
  return element("div", { class: after ? "dishes both" : "dishes" },
    draw(recipe, "recipe", after ? before : "The recipe"),
    after ? draw(after, "swapped_recipe", `With ${swaps.map(({ target }) => target).join(", ")}`) : null);
}

function recipeOf({ title, ingredients, steps, text }, label, why, onOpen) {
  return element("section", { class: "dish-recipe", "aria-label": `${label}: ${title}` },
    element("p", { class: "eyebrow" }, label),
    element("h3", {}, title),
    why ? banner("unclear", `This is the nearest recipe of our own collection; what was written for the photo is no use: ${why.join(", ")}.`) : null,
    element("ul", { class: "dish-lines" }, ingredients.map((line) => element("li", {}, line))),
    element("ol", { class: "steps" }, steps.map((step) => element("li", {}, step))),
    element("button", { type: "button", click: ({ currentTarget }) => onOpen(text, currentTarget) },
      "Go on with this recipe", unseen(` (${label.toLowerCase()})`)));
}

export function changesOf({ diff }) {
  if (!diff) return null;
  return element("section", { class: "changes", "aria-labelledby": "changes-title" },
    element("h2", { id: "changes-title" }, "What changes"),
    element("div", { class: "diff" }, diffLines(diff).map(lineOf)));
}

function lineOf({ kind, text }) {
  if (kind === "gap") return element("p", { class: "gap", "aria-hidden": "true" }, "…");
  if (kind === "same") return element("p", {}, text);
  return element("p", {}, kind === "old" ? element("del", {}, unseen("was "), text) : element("ins", {}, unseen("now "), text));
}

function banner(sign, text) {
  return element("div", { class: "banner unclear" }, icon(sign), element("p", {}, capitalized(text)));
}
