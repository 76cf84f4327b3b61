// What the cook changes in the dish of a photo: ingredients added, removed, swapped. Every state of it is a value of its own.
// Names are those of the server, so that what was typed as "tomatoes" is "tomato" after the next answer.

export const UNCHANGED = { add: [], remove: [], swaps: [] }; // swaps are { source, target }

export const added = (edits, names) => ({ ...edits, add: [...new Set([...edits.add, ...names])] });

export function removed(edits, name) {
  const { add, remove, swaps } = swapUndone(edits, name);
  return add.includes(name)
    ? { add: add.filter((each) => each !== name), remove, swaps }
    : { add, remove: [...remove, name], swaps };
}

export const putBack = (edits, name) => ({ ...edits, remove: edits.remove.filter((each) => each !== name) });

export function swapped(edits, source, target) {
  return { ...edits, swaps: [...swapUndone(edits, source).swaps, { source, target }] };
}

export const swapUndone = (edits, name) => ({ ...edits, swaps: edits.swaps.filter(({ source }) => source !== name) });

// The same changes in the names that the server answered with.
export function named(edits, { ingredients, used }) {
  const seen = new Set(ingredients.map(({ name }) => name));
  const add = used.filter((name) => !seen.has(name));
  const renamed = (name) => (add.length === edits.add.length && add[edits.add.indexOf(name)]) || name;
  return {
    add,
    remove: edits.remove,
    swaps: edits.swaps.map(({ source, target }) => ({ source: renamed(source), target })),
  };
}

// Everything that was seen or added: { name, confidence, isRemoved, target, isOwn }, the target from the cook or from a diet.
export function ingredientsOf(seen, edits, dietSwaps) {
  const all = [...seen, ...edits.add.map((name) => ({ name, confidence: null }))];
  return all.map(({ name, confidence }) => {
    const own = edits.swaps.find(({ source }) => source === name);
    const made = own ?? dietSwaps.find(({ source }) => source === name);
    return { name, confidence, isRemoved: edits.remove.includes(name), target: made?.target, isOwn: Boolean(own) };
  });
}

export function spokenConfidence(confidence) {
  const words = confidence >= 0.8 ? "almost sure" : confidence >= 0.5 ? "likely" : confidence >= 0.25 ? "perhaps" : "a guess";
  return `${words}, ${confidence < 0.01 ? "under 1" : Math.round(confidence * 100)}%`;
}

// A unified diff as [{ kind: "same" | "old" | "new" | "gap", text }], without its head, marks of lists and lines under titles.
export function diffLines(diff) {
  const kinds = { " ": "same", "-": "old", "+": "new", "@": "gap" };
  return diff
    .split("\n")
    .slice(3) // names of the texts, and where the first change is
    .map((line) => ({ kind: kinds[line[0]] ?? "same", text: line.slice(1).replace(/^- /, "") }))
    .filter(({ kind, text }) => kind === "gap" || (text.trim() && !/^[=-]+$/.test(text)));
}
