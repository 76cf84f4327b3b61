// How a photo comes in: chosen, taken or dropped. It is shown, and leaves the device only when the cook says so.
// What is sent is a small copy: networks see no more in a large one, and where and when it was taken stays behind.

import { Trouble } from "./api.js";
import { announce, element, find } from "./dom.js";
import { takeDrops } from "./drops.js";
import { trouble, waiting } from "./states.js";

const LONGEST = 1600; // pixels
const QUALITY = 0.9;
const NO_PHOTO = "This file is no photo; choose a JPEG, PNG, WebP, GIF, BMP or TIFF.";

// `onChoice()` is told that another photo was chosen, `onPhoto(photo)` cooks from it.
export function startPhotoIntake(onChoice, onPhoto) {
  const form = find("#photo-form");
  const state = find("#photo-state");
  const button = find("button", form);
  let file = null;

  function choose(chosen) {
    const isPhoto = !chosen.type || chosen.type.startsWith("image/");
    file = isPhoto ? chosen : null;
    button.disabled = !isPhoto;
    state.replaceChildren(isPhoto ? "" : trouble(new Trouble(NO_PHOTO, false)));
    preview(file);
    onChoice();
  }

  async function cook() {
    const cooked = file;
    button.disabled = true;
    state.replaceChildren(waiting("Looking at the photo and writing its recipe… This takes a few seconds."));
    state.scrollIntoView({ block: "nearest" });
    announce("Looking at the photo.");
    try {
      await onPhoto(await smallCopy(cooked));
      if (file === cooked) state.replaceChildren();
    } catch (error) {
      if (error.name === "AbortError") return; // another photo was chosen
      state.replaceChildren(trouble(error, cook));
      state.scrollIntoView({ block: "nearest" });
    } finally {
      if (file === cooked) button.disabled = false;
    }
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    cook();
  });
  find("#photo-file").addEventListener("change", ({ target }) => {
    const [chosen] = target.files;
    if (chosen) choose(chosen);
    target.value = ""; // so that the same photo can be chosen again
  });
  takeDrops(form, "Drop the photo here", choose);
  form.inert = false;
}

function preview(file) {
  const figure = find("#photo-preview");
  const old = find("img", figure);
  if (old) URL.revokeObjectURL(old.src);
  figure.replaceChildren();
  figure.hidden = file === null;
  if (!file) return;
  const words = element("p", { class: "hint" }, "This browser cannot show this photo; it is sent as it is.");
  const image = element("img", {
    src: URL.createObjectURL(file),
    alt: `The photo that you chose: ${file.name}`,
    error: () => image.replaceWith(words),
  });
  figure.append(image);
  announce(`${file.name} chosen.`);
}

// The photo as a JPEG of at most LONGEST pixels; what this browser cannot read is left to the server as it is.
async function smallCopy(file) {
  const address = URL.createObjectURL(file);
  try {
    const image = element("img", { src: address });
    await image.decode();
    return (await drawn(image)) ?? file;
  } catch {
    return file;
  } finally {
    URL.revokeObjectURL(address);
  }
}

function drawn(image) {
  const { naturalWidth: width, naturalHeight: height } = image; // turned as the camera was held
  const scale = Math.min(1, LONGEST / Math.max(width, height));
  const canvas = element("canvas", { width: Math.round(width * scale), height: Math.round(height * scale) });
  const brush = canvas.getContext("2d");
  brush.fillStyle = "#fff"; // a JPEG has nothing transparent, and black is no plate
  brush.fillRect(0, 0, canvas.width, canvas.height);
  brush.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY));
}
