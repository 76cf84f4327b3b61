// Tabs as a keyboard and a screen reader know them: one of them is in the tab order, arrows go to the others.
// Going to a tab shows its panel at once, for every panel is there already.

import { find } from "./dom.js";

const STEPS = { ArrowRight: (at) => at + 1, ArrowLeft: (at) => at - 1, Home: () => 0, End: () => -1 };

export function startTabs(list) {
  const tabs = [...list.querySelectorAll("[role=tab]")];

  function show(shown) {
    for (const tab of tabs) {
      tab.setAttribute("aria-selected", tab === shown);
      tab.tabIndex = tab === shown ? 0 : -1;
      for (const id of tab.getAttribute("aria-controls").split(" ")) find(`#${id}`).hidden = tab !== shown;
    }
  }

  list.addEventListener("click", (event) => {
    const tab = event.target.closest("[role=tab]");
    if (tab) show(tab);
  });
  list.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const next = tabs.at(step(tabs.indexOf(event.target)) % tabs.length);
    next.focus();
    show(next);
  });
  list.inert = false;
}
