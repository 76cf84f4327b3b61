// What in the recipe is against the cook's wishes, and the swap that would mend it.
// The server judges every line and step; each problem is shown where it stands, and a banner sums them up.
// A check that comes too late, because recipe or wishes have changed, is dropped.

import * as api from "./api.js";
import { announce, element, find, icon, unseen } from "./dom.js";
import { attempt, trouble } from "./states.js";

const SIGNS = { good: "fine", bad: "warning", unclear: "unclear" };

export class DietCheck {
  // `take(swaps, line)` rewrites the recipe and then puts the focus on that line.
  constructor(root, wishes, take) {
    Object.assign(this, { root, wishes, take, asking: new AbortController() });
  }

  async run(recipe) {
    this.asking.abort();
    this.asking = new AbortController();
    this.root.querySelectorAll(".warning").forEach((warning) => warning.remove());
    find(".verdict", this.root).replaceChildren();
    if (this.wishes.limits.length === 0) return;
    try {
      this.show((await api.check(recipe, this.wishes.asked, this.asking.signal)).problems);
    } catch (error) {
      if (error.name === "AbortError") return;
      find(".verdict", this.root).replaceChildren(trouble(error, () => this.run(recipe)));
    }
  }

  show(problems) {
    const hasRow = (each) => each.where === "ingredient" || each.where === "step";
    for (const problem of problems.filter(hasRow)) {
      const place = problem.where === "ingredient" ? `[data-line="${problem.number}"]` : `[data-step="${problem.number}"]`;
      const row = find(place, this.root);
      row.insertBefore(this.warning(problem), find(".swaps", row));
    }
    const unsafe = problems.filter((problem) => problem.status === "unsafe");
    const kind = unsafe.length > 0 ? "bad" : problems.length > 0 ? "unclear" : "good";
    const text = this.summary(unsafe.length, problems.length - unsafe.length);
    // One swap serves every line that has the ingredient.
    const mending = [...new Map(unsafe.filter((each) => each.swap).map((each) => [each.ingredient, each])).values()];
    find(".verdict", this.root).replaceChildren(
      element("div", { class: `banner ${kind}` }, icon(SIGNS[kind]), element("p", {}, text),
        mending.length > 1 ? this.mend(mending, `Swap all ${mending.length}`) : null),
      ...problems.filter((each) => !hasRow(each)).map((each) => this.warning(each, `In the ${each.where}, “${each.text}”: `)));
    announce(text);
  }

  summary(unsafe, unclear) {
    const limits = this.wishes.limits.join(", ");
    const labels = unclear > 0 ? ` ${unclear} cannot be judged by name: read labels.` : "";
    if (unsafe > 0) return `${unsafe} ${unsafe === 1 ? "place is" : "places are"} against your wishes (${limits}).${labels}`;
    return `Nothing is known to be against your wishes (${limits}).${labels || " Read labels all the same."}`;
  }

  warning(problem, place = "") {
    const isUnsafe = problem.status === "unsafe";
    return element("div", { class: `warning ${isUnsafe ? "bad" : "unclear"}` },
      icon(isUnsafe ? "warning" : "unclear"),
      element("p", {}, unseen(isUnsafe ? "Against your wishes: " : "Cannot be judged: "), place, problem.rule),
      problem.swap ? this.mend([problem], `Use ${targetOf(problem.swap)}`) : null);
  }

  mend(problems, label) {
    const swaps = problems.map(({ ingredient, swap }) => ({ ingredient, with: targetOf(swap) }));
    const click = ({ currentTarget: button }) =>
      attempt(button, button.parentElement, () => this.take(swaps, problems[0].number));
    return element("button", { type: "button", class: "small", click }, label);
  }
}

const targetOf = (swap) => swap.mixture?.name ?? swap.name;
