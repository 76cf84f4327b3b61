// Builds what the page shows, one element at a time.
// Children that are text become text nodes, so that nothing from a recipe is ever read as markup.
// Attributes that are functions are event listeners; those that are null, undefined or false are left out.

const SVG = "http://www.w3.org/2000/svg";

export const find = (selector, root = document) => root.querySelector(selector);

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== ""));
  return made;
}

export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#icon-${name}`);
  svg.append(use);
  return svg;
}

export const unseen = (text) => element("span", { class: "visually-hidden" }, text);

// What a screen reader shall say now; the text is cleared first, or the same sentence would not be said twice.
export function announce(text) {
  const announcer = find("#announcer");
  announcer.textContent = "";
  requestAnimationFrame(() => (announcer.textContent = text));
}

export const capitalized = (text) => text.charAt(0).toUpperCase() + text.slice(1);
