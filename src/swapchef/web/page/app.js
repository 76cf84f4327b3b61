// Starts the page: asks the server what it offers, then connects the intake, the cook's wishes and the recipe.
// The address carries no state, so that a recipe never ends up in a history or a log.
// Until the server has answered the forms are inert, and a server that is down is said to be.

import * as api from "./api.js";
import { DishCard } from "./dish_card.js";
import { element, find, icon } from "./dom.js";
import { startIntake } from "./intake.js";
import { startPhotoIntake } from "./photo_intake.js";
import { RecipeCard } from "./recipe_card.js";
import { trouble } from "./states.js";
import { startTabs } from "./tabs.js";
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
  const wishes = new Wishes(diets, () => {
    card.refresh();
    dish.refresh();
  });
  const card = new RecipeCard(find("#recipe"), wishes, settings.feedback);
  find("#feedback-note").hidden = !settings.feedback;
  const lay = (parsed) => {
    show("recipe");
    card.lay(parsed);
  };
  const dish = new DishCard(find("#dish"), wishes, lay);
  startIntake(settings.import, lay);
  if (settings.no_photos) sayNoPhotos(settings.no_photos);
  else startPhotoIntake(() => dish.clear(), (photo) => dish.lay(photo));
  startTabs(find(".tabs"));
  find("#another").addEventListener("click", () => {
    document.title = "swapchef";
    show("intake");
    const tab = find("[role=tab][aria-selected=true]");
    (tab.id === "photo-tab" ? tab : find("#paste")).focus();
  });
}

function show(shown) {
  find("#intake").hidden = shown !== "intake";
  find("#recipe").hidden = shown !== "recipe";
  find("#another").hidden = shown !== "recipe";
  scrollTo(0, 0);
}

function sayNoPhotos(sentence) {
  find("#photo-form").hidden = true;
  find("#photo-state").replaceChildren(
    element("div", { class: "banner unclear" }, icon("unclear"), element("p", {}, sentence)));
}

start();
