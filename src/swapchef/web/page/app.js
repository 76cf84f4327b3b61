// Starts the page: asks the server what it offers, then connects the intake, the cook's wishes and the recipe.
// The address carries no state, so that a recipe never ends up in a history or a log.
// Until the server has answered the forms are inert, and a server that is down is said to be.

import * as api from "./api.js";
import { find } from "./dom.js";
import { startIntake } from "./intake.js";
import { RecipeCard } from "./recipe_card.js";
import { trouble } from "./states.js";
import { Wishes } from "./wishes.js";

async function start() {
  const state = find("#intake-state");
  state.replaceChildren();
  try {
    const [settings, diets] = await Promise.all([api.settings(), api.diets()]);
    connect(settings, diets);
  } catch (error) {
    state.replaceChildren(trouble(error, start));
  }
}

function connect(settings, diets) {
  const wishes = new Wishes(diets, () => card.refresh());
  const card = new RecipeCard(find("#recipe"), wishes, settings.feedback);
  find("#feedback-note").hidden = !settings.feedback;
  startIntake(settings.import, (parsed) => {
    show("recipe");
    card.lay(parsed);
  });
  find("#another").addEventListener("click", () => {
    document.title = "swapchef";
    show("intake");
    find("#paste").focus();
  });
}

function show(shown) {
  find("#intake").hidden = shown !== "intake";
  find("#recipe").hidden = shown !== "recipe";
  find("#another").hidden = shown !== "recipe";
  scrollTo(0, 0);
}

start();
