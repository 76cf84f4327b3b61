// A list of foods that the cook keeps: a field that completes names, and a removable chip for each food.
// Names come from the server's type-ahead while one types; commas separate several at once.
// A word that the server does not understand stays in the field with the server's sentence below it.

import * as api from "./api.js";
import { announce, element, icon } from "./dom.js";
import { trouble } from "./states.js";

const SHORTEST = 2; // letters before completion says anything useful

// `vet(words)` throws what is wrong with new words; `onChange(words)` gets the whole list.
export function createWordList(root, { name, label, placeholder, vet, onChange }) {
  const names = element("datalist", { id: `${name}-names` });
  const field = element("input", {
    id: `${name}-field`, list: names.id, placeholder, autocomplete: "off", autocapitalize: "none", enterkeyhint: "done",
  });
  const chips = element("ul", { class: "chips", "aria-label": label });
  const state = element("div", { class: "state" });
  let words = [];
  let lookup = new AbortController();

  function show(next) {
    words = next;
    chips.replaceChildren(...words.map((word) => element("li", { class: "chip" }, word, removal(word))));
    chips.hidden = words.length === 0;
  }

  function removal(word) {
    const remove = () => {
      onChange(words.filter((each) => each !== word));
      announce(`${word} removed.`);
      field.focus();
    };
    return element("button", { type: "button", "aria-label": `Remove ${word}`, click: remove }, icon("close"));
  }

  async function complete() {
    lookup.abort();
    lookup = new AbortController();
    const typed = field.value.split(",").at(-1).trim();
    if (typed.length < SHORTEST) return;
    // Completion is a convenience: without it one types the whole name.
    const found = await api.ingredients(typed, lookup.signal).catch(() => []);
    names.replaceChildren(...found.map((value) => element("option", { value })));
  }

  async function add(event) {
    event.preventDefault();
    const said = field.value.split(",").map((word) => word.trim().toLowerCase()).filter(Boolean);
    if (said.length === 0) return;
    try {
      await vet(said);
    } catch (error) {
      state.replaceChildren(trouble(error));
      return;
    }
    state.replaceChildren();
    field.value = "";
    onChange([...new Set([...words, ...said])]);
    announce(`${said.join(", ")} added.`);
  }

  field.addEventListener("input", complete);
  root.append(
    element("form", { submit: add },
      element("label", { for: field.id }, label),
      element("div", { class: "joined" }, field, element("button", {}, "Add")),
      names),
    state,
    chips);
  return { show };
}
