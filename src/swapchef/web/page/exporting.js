// Ways to take the recipe along: copied as text, printed, or downloaded as a file.
// The server writes the formats, so that a file from here is the same as one from the command line.
// Copying without the clipboard API, which browsers keep from plain http, goes through a text field.

import * as api from "./api.js";
import { announce, element, icon } from "./dom.js";

const FORMATS = { markdown: "Markdown", jsonld: "JSON-LD", cooklang: "Cooklang", mealie: "Mealie" };
const LONG_ENOUGH = 60_000; // ms, for a browser that asks where to save

// `recipe()` is the recipe as it stands; `report(error)` says what went wrong.
export function exportTools(recipe, report) {
  const format = element("select", { "aria-label": "File format" },
    Object.entries(FORMATS).map(([value, name]) => element("option", { value }, name)));
  const tool = (sign, label, action) => {
    const click = ({ currentTarget: button }) => action(button).catch(report);
    return element("button", { type: "button", click }, icon(sign), element("span", { class: "label" }, label));
  };
  return [
    tool("copy", "Copy", async (button) => {
      await copy((await api.write(recipe(), "text")).text);
      button.replaceChildren(icon("fine"), element("span", { class: "label" }, "Copied"));
      announce("Recipe copied.");
    }),
    tool("print", "Print", async () => print()),
    element("span", { class: "joined" }, format, tool("download", "Download", () => download(recipe(), format.value))),
  ];
}

async function copy(text) {
  const isDone = navigator.clipboard
    ? await navigator.clipboard.writeText(text).then(() => true, () => false)
    : copyThroughField(text);
  if (!isDone) throw new api.Trouble("The browser does not let this page copy; download the recipe instead.", false);
}

function copyThroughField(text) {
  const focused = document.activeElement;
  const field = element("textarea", { class: "visually-hidden", "aria-hidden": "true" });
  field.value = text;
  document.body.append(field);
  field.select();
  const isDone = document.execCommand("copy");
  field.remove();
  focused.focus();
  return isDone;
}

async function download(recipe, format) {
  const { text, filename, media_type: type } = await api.write(recipe, format);
  const address = URL.createObjectURL(new Blob([text], { type }));
  element("a", { href: address, download: filename }).click();
  setTimeout(() => URL.revokeObjectURL(address), LONG_ENOUGH);
  announce(`Downloaded ${filename}.`);
}
