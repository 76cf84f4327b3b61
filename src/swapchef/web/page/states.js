// The two states that any part of the page may be in beside its own: waiting, and in trouble.
// Waiting shows the outline of what will come; trouble shows the sentence that the server sent, and a way on.
// An error that is no `Trouble` is a fault of this page: it is thrown on, for the console.

import { Trouble } from "./api.js";
import { element, find, icon } from "./dom.js";

export function waiting(text, lines = 3) {
  const bars = Array.from({ length: lines }, () => element("div", { class: "bar", "aria-hidden": "true" }));
  return element("div", { class: "waiting" }, element("p", {}, text), bars);
}

// `again` is offered where asking once more may help.
export function trouble(error, again = null) {
  if (!(error instanceof Trouble)) throw error;
  const retry = again && error.mayPass ? element("button", { type: "button", click: again }, "Try again") : null;
  return element("div", { class: "trouble", role: "alert" }, icon("warning"), element("p", {}, error.message), retry);
}

// Does what a button stands for, which rests meanwhile; what goes wrong is shown in `place`.
export async function attempt(button, place, action) {
  find(".trouble", place)?.remove();
  button.disabled = true;
  try {
    await action();
  } catch (error) {
    button.disabled = false;
    button.focus();
    place.append(trouble(error, () => button.click()));
  }
}
