// Files that are dropped anywhere on the page go to whichever place is open for them.
// Where none is, a file is not opened either: the browser would leave the page for it.

import { element, find } from "./dom.js";

const places = []; // { panel, words, onFile }

export function takeDrops(panel, words, onFile) {
  if (places.length === 0) listen();
  places.push({ panel, words, onFile });
}

function listen() {
  const curtain = element("div", { class: "curtain", hidden: true }, element("p", {}));
  document.body.append(curtain);
  const hasFile = (event) => event.dataTransfer?.types.includes("Files");
  const open = () => places.find(({ panel }) => !panel.closest("[hidden]"));
  addEventListener("dragover", (event) => {
    if (!hasFile(event)) return;
    event.preventDefault();
    curtain.hidden = !open();
    find("p", curtain).textContent = open()?.words ?? "";
  });
  addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) curtain.hidden = true;
  });
  addEventListener("drop", (event) => {
    if (!hasFile(event)) return;
    event.preventDefault();
    curtain.hidden = true;
    open()?.onFile(event.dataTransfer.files[0]);
  });
}
