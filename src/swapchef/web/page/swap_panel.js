// The ranked swaps for one ingredient line, opened below it.
// It asks the server under the cook's wishes, shows amount, chance, reasons, badges and notes of each swap, and hands on
// the one that is taken. A line of several ingredients first lets the cook say which one is meant.

import * as api from "./api.js";
import { announce, capitalized, element, icon, unseen } from "./dom.js";
import { attempt, trouble, waiting } from "./states.js";
import { verdictBadges } from "./verdict_badges.js";

const MOST_OTHER_NAMES = 2;

export class SwapPanel {
  // `take(ingredient, target)` rewrites the recipe; `turnDown(ingredient, name)` is null where no feedback is kept.
  constructor({ recipe, line, wishes, take, turnDown, close }) {
    Object.assign(this, { recipe, line, wishes, take, turnDown });
    this.meant = line.matches[0];
    this.asking = new AbortController();
    this.body = element("div", { class: "swaps-body" });
    this.closing = element("button", { type: "button", class: "close", "aria-label": "Close", click: close }, icon("close"));
    this.element = element("section", { class: "swaps", id: "swaps", "aria-label": `Swaps for ${line.text}` },
      element("div", { class: "swaps-head" },
        line.matches.length > 1 ? this.choice() : element("h3", {}, "Instead of ", element("em", {}, this.meant)),
        this.closing),
      this.body);
    this.load();
  }

  // The line's number keeps the swap to this line; a line with several ingredients needs the name.
  get ingredient() {
    return this.line.matches.length > 1 ? this.meant : String(this.line.number);
  }

  choice() {
    const options = this.line.matches.map((name, index) => {
      const choose = () => {
        this.meant = name;
        this.load();
      };
      const radio = element("input", { type: "radio", name: "meant", checked: index === 0, change: choose });
      return element("label", { class: "toggle" }, radio, element("span", {}, name));
    });
    return element("fieldset", { class: "choice" }, element("legend", {}, "Instead of"), options);
  }

  async load() {
    this.abort();
    this.asking = new AbortController();
    this.body.setAttribute("aria-busy", "true");
    this.body.replaceChildren(waiting("Looking for swaps…"));
    try {
      this.show(await api.suggest(this.recipe, this.ingredient, this.wishes.asked, this.asking.signal));
    } catch (error) {
      if (error.name === "AbortError") return;
      this.body.replaceChildren(trouble(error, () => this.load()));
    }
    this.body.removeAttribute("aria-busy");
  }

  abort() {
    this.asking.abort();
  }

  show({ ingredient, suggestions, mixtures, refusal, ranker }) {
    const shown = new Set(suggestions.map((each) => each.mixture?.name));
    const others = mixtures.filter((mixture) => !shown.has(mixture.name));
    const count = suggestions.length + others.length;
    if (count === 0) {
      this.body.replaceChildren(refusal ? dangerous(refusal) : this.nothing(ingredient));
      announce(refusal || `No swap found for ${ingredient}.`);
      return;
    }
    const best = Math.max(...suggestions.map((each) => each.probability));
    const { limits } = this.wishes;
    this.body.replaceChildren(
      ranker === "fusion" ? "" : element("p", { class: "hint" }, `Ranked by ${ranker}.`),
      limits.length > 0 ? element("p", { class: "hint" }, `Known to keep to your wishes (${limits.join(", ")}):`) : "",
      element("ol", { class: "suggestions" }, suggestions.map((each) => this.suggestion(each, ingredient, best))),
      others.length > 0 ? element("h4", {}, "Or mix your own") : "",
      element("ul", { class: "suggestions" }, others.map((each) => this.mixture(each))),
      element("p", { class: "hint" },
        suggestions.length > 0 ? "The chance is how likely a cook who replaces this in such a recipe picks that one. " : "",
        "Badges judge names, not packages: read labels."));
    announce(`${count} ${count === 1 ? "swap" : "swaps"} for ${ingredient}.`);
  }

  suggestion(suggestion, ingredient, best) {
    const { name, also, amount, probability, reasons, verdicts } = suggestion;
    const others = also.slice(0, MOST_OTHER_NAMES).join(", ");
    return element("li", { class: "suggestion" },
      element("div", { class: "what" },
        element("h4", {}, capitalized(name), others ? element("small", {}, ` or ${others}`) : null),
        amountOf(amount)),
      element("div", { class: "act" },
        this.taking(suggestion.mixture?.name ?? name),
        this.turnDown ? this.turningDown(ingredient, name) : null),
      element("p", { class: "why" }, chance(probability, best), reasons.map((reason) => ` · ${reason}`)),
      verdictBadges(verdicts),
      notes(suggestion));
  }

  mixture({ name, parts, note, verdicts }) {
    return element("li", { class: "suggestion" },
      element("div", { class: "what" }, element("h4", {}, parts.join(" + "))),
      element("div", { class: "act" }, this.taking(name)),
      verdictBadges(verdicts),
      note ? element("p", { class: "note" }, note) : null);
  }

  taking(target) {
    const click = ({ currentTarget: button }) =>
      attempt(button, button.closest(".suggestion"), () => this.take(this.ingredient, target));
    return element("button", { type: "button", class: "primary", click }, "Use this", unseen(` ${target}`));
  }

  turningDown(ingredient, name) {
    const click = ({ currentTarget: button }) => {
      this.turnDown(ingredient, name);
      const card = button.closest(".suggestion");
      (card.nextElementSibling?.querySelector("button") ?? this.closing).focus();
      card.remove();
      announce(`${name} turned down.`);
    };
    return element("button", { type: "button", class: "quiet", click }, "Not this", unseen(` ${name}`));
  }

  nothing(ingredient) {
    const { limits } = this.wishes;
    if (this.wishes.isOnlyHave) {
      return element("div", { class: "empty" },
        element("p", {}, `Nothing on your list can stand in for ${ingredient}.`),
        element("button", { type: "button", click: () => this.wishes.leaveCupboard() }, "Look beyond what I have"));
    }
    const within = limits.length > 0 ? ` that is known to keep to your wishes (${limits.join(", ")})` : "";
    return element("div", { class: "empty" }, element("p", {}, `I know nothing to use instead of ${ingredient}${within}.`));
  }
}

// Nothing may take its place: that would be dangerous.
const dangerous = (refusal) =>
  element("div", { class: "banner bad" }, icon("warning"), element("p", {}, refusal));

function amountOf({ text, rule, is_guess: isGuess }) {
  if (!text) return element("p", { class: "amount" }, rule);
  return element("p", { class: "amount" }, isGuess ? "use about " : "use ", element("strong", {}, text));
}

// The bars compare the swaps with each other; the number beside each is the chance itself.
function chance(probability, best) {
  const bar = element("span", { class: "chance-bar", "aria-hidden": "true" });
  bar.style.setProperty("--share", probability / best);
  const percent = probability < 0.01 ? "under 1%" : `${Math.round(probability * 100)}%`;
  return element("span", { class: "chance" }, bar, `${percent} chance`);
}

// Notes of the kind "amount" repeat what the amount says of itself.
function notes({ amount, notes: found }) {
  const texts = [amount.note, amount.method, ...found.filter((note) => note.kind !== "amount").map((note) => note.text)];
  const told = [...new Set(texts.filter(Boolean))];
  return told.length > 0 ? element("ul", { class: "notes" }, told.map((text) => element("li", {}, text))) : null;
}
