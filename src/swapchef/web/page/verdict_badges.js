// What a food's verdicts mean for people, as a few badges instead of nineteen.
// The strictest diet it suits and every chosen allergen it is free of are good news; what it has or may have is a warning.
// Where too much is unclear to list, one badge says so.

import { element, icon, unseen } from "./dom.js";
import { isDiet, spokenFacet } from "./wishes.js";

const STRICTEST_FIRST = ["vegan", "vegetarian", "pescatarian"];
const MOST_UNCLEAR = 2;

export function verdictBadges(verdicts, chosen) {
  const having = (status) => Object.keys(verdicts).filter((facet) => verdicts[facet] === status);
  const allergens = (status) => having(status).filter((facet) => !STRICTEST_FIRST.includes(facet));
  const suits = STRICTEST_FIRST.find((diet) => verdicts[diet] === "safe");
  const free = having("safe").filter((facet) => chosen.includes(facet) && !STRICTEST_FIRST.includes(facet));
  const unclear = allergens("unknown");
  const badges = [
    ...(suits ? [badge("good", "fine", "", suits)] : []),
    ...free.map((facet) => badge("good", "fine", "", isDiet(facet) ? spokenFacet(facet) : `no ${spokenFacet(facet)}`)),
    ...allergens("unsafe").map((facet) => badge("bad", "warning", "has or may have ", contentOf(facet))),
    ...(unclear.length > MOST_UNCLEAR
      ? [badge("unclear", "unclear", "", "allergens unclear")]
      : unclear.map((facet) => badge("unclear", "unclear", "unclear: ", contentOf(facet)))),
  ];
  return element("ul", { class: "badges", "aria-label": "Diets and allergens" }, badges);
}

const contentOf = (facet) => spokenFacet(facet).replace(/^no /, ""); // "no_pork" is broken by pork

const badge = (kind, sign, before, text) =>
  element("li", { class: `badge ${kind}` }, icon(sign), before ? unseen(before) : null, text);
