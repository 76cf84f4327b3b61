// What a food's verdicts mean for people, as a few badges instead of nineteen.
// The strictest diet it suits is good news; each allergen it has or may have is a warning.
// Where too much is unclear to list, one badge says so.

import { element, icon, unseen } from "./dom.js";
import { spokenFacet } from "./wishes.js";

const STRICTEST_FIRST = ["vegan", "vegetarian", "pescatarian"];
const MOST_UNCLEAR = 2;

export function verdictBadges(verdicts) {
  const suits = STRICTEST_FIRST.filter((diet) => verdicts[diet] === "safe").slice(0, 1);
  const contents = (status) =>
    Object.keys(verdicts).filter((facet) => verdicts[facet] === status && !STRICTEST_FIRST.includes(facet)).map(contentOf);
  const unclear = contents("unknown");
  return element("ul", { class: "badges", "aria-label": "Diets and allergens" },
    suits.map((diet) => badge("good", "fine", "", diet)),
    contents("unsafe").map((content) => badge("bad", "warning", "has or may have ", content)),
    unclear.length > MOST_UNCLEAR
      ? badge("unclear", "unclear", "", "allergens unclear")
      : unclear.map((content) => badge("unclear", "unclear", "unclear: ", content)));
}

const contentOf = (facet) => spokenFacet(facet).replace(/^no /, ""); // "no pork" is broken by pork

const badge = (kind, sign, before, text) =>
  element("li", { class: `badge ${kind}` }, icon(sign), before ? unseen(before) : null, text);
