// Draws a recipe: its head, its ingredient lines as buttons, its method.
// Whatever differs from the recipe as it came in is shown as old and new: whole lines of ingredients, single words of
// title and steps. Notes of swaps stand at the step they are about, or below the ingredients.

import { element, icon, unseen } from "./dom.js";
import { factsOf } from "./recipe.js";
import { wordDiff } from "./word_diff.js";

export function headOf({ source, title, swaps }) {
  const facts = factsOf(source);
  return element("header", { class: "recipe-head" },
    element("h1", { id: "recipe-title", tabindex: "-1" }, changedWords(title)),
    source.description ? element("p", { class: "lead" }, source.description) : null,
    facts.length > 0 ? element("ul", { class: "facts" }, facts.map((fact) => element("li", {}, fact))) : null,
    element("div", { class: "verdict" }),
    swaps.length > 0 ? swapsMade(swaps) : element("p", { class: "cue" }, "Pick an ingredient to see what you can use instead."));
}

export function ingredientsOf({ lines, notes }, onTap) {
  const groups = bySection(lines).map(({ heading, items }) => [
    heading ? element("h3", {}, heading) : null,
    element("ul", {}, items.map((line) => lineOf(line, onTap))),
  ]);
  return element("section", { class: "ingredients", "aria-labelledby": "ingredients-title" },
    element("h2", { id: "ingredients-title" }, "Ingredients"),
    groups.flat(),
    goodToKnow(notes.filter((note) => note.step === 0)));
}

export function methodOf({ steps, notes }) {
  let number = 0;
  const groups = bySection(steps).map(({ heading, items }) => [
    heading ? element("h3", {}, heading) : null,
    element("ol", { start: number + 1 }, items.map((step) => stepOf(step, ++number, notes))),
  ]);
  return element("section", { class: "method", "aria-labelledby": "method-title" },
    element("h2", { id: "method-title" }, "Method"),
    steps.length > 0 ? groups.flat() : element("p", { class: "hint" }, "Only ingredients came in; there are no steps to rewrite."));
}

function swapsMade(swaps) {
  const made = swaps.map(({ source, target }) =>
    element("li", {}, element("del", {}, source), unseen(" replaced by "), icon("swap"), element("ins", {}, target)));
  return element("ul", { class: "swaps-made", "aria-label": "Swaps made" }, made);
}

function lineOf(line, onTap) {
  const old = line.was ? element("del", { class: "was" }, unseen("was "), line.was) : null;
  const text = line.was === undefined ? line.text : element("ins", {}, unseen("now "), line.text);
  const content = line.matches.length > 0
    ? element("button", { type: "button", class: "line-button", "aria-expanded": "false", click: () => onTap(line) },
        element("span", {}, text), icon("swap"))
    : element("p", { class: "line-unknown" }, text, " ", element("small", {}, "no swaps known"));
  return element("li", { class: "line", "data-line": line.number }, old, content);
}

function goodToKnow(notes) {
  if (notes.length === 0) return null;
  return element("div", { class: "mind" },
    element("h3", {}, "Good to know"),
    element("ul", {}, notes.map((note) => element("li", {}, note.text))));
}

function stepOf(step, number, notes) {
  return element("li", { "data-step": number },
    element("p", {}, changedWords(step)),
    notes.filter((note) => note.step === number).map((note) => element("p", { class: "note" }, note.text)));
}

function bySection(items) {
  const groups = [];
  for (const item of items) {
    if (groups.length === 0 || groups.at(-1).heading !== item.section) groups.push({ heading: item.section, items: [] });
    groups.at(-1).items.push(item);
  }
  return groups;
}

function changedWords({ text, was }) {
  if (was === undefined) return [text];
  return wordDiff(was, text).flatMap(({ kind, text: words }, index) => [index > 0 ? " " : null, changed(kind, words)]);
}

function changed(kind, words) {
  if (kind === "same") return words;
  return kind === "old" ? element("del", {}, unseen("was "), words) : element("ins", {}, unseen("now "), words);
}
