// A recipe as the page shows it: title, ingredient lines and steps, each with what it said before the first swap.
// The server sends schema.org JSON-LD and, after a swap, what changed; from both follows the next recipe.
// Every recipe is a value of its own, so that undoing a swap is going back to the one before.

// `was` is the text before any swap: undefined where nothing changed, "" where there was no such line.
export function recipeOf({ recipe, ingredients }) {
  return {
    source: recipe,
    title: { text: recipe.name },
    lines: ingredients.map(lineOf),
    steps: stepsOf(recipe.recipeInstructions ?? []),
    notes: [], // of all swaps so far
    swaps: [], // { source, target }
  };
}

// `swapped` is the server's answer to a swap in `before`.
export function afterSwap(before, swapped) {
  const next = recipeOf(swapped);
  const changed = (where, number) =>
    swapped.changes.find((change) => change.where === where && change.number === number);
  next.title.was = changed("title", 0) ? was(before.title, next.title.text) : before.title.was;
  let position = 0;
  before.lines.forEach((old) => {
    const change = changed("ingredient", old.number);
    const count = change ? change.new.split("\n").length : 1;
    next.lines.slice(position, position + count).forEach((line, index) => {
      line.was = index > 0 ? "" : change ? was(old, line.text) : old.was;
    });
    position += count;
  });
  next.steps.forEach((step, index) => {
    const old = before.steps[index];
    step.was = changed("step", index + 1) ? was(old, step.text) : old.was;
  });
  next.notes = withoutRepeats([...before.notes, ...swapped.notes]);
  next.swaps = [...before.swaps, ...swapped.swaps.map(({ source, target }) => ({ source, target }))];
  return next;
}

// "Serves 4", "Prep 10 min"; whatever the recipe says.
export function factsOf({ recipeYield, prepTime, cookTime, totalTime }) {
  const facts = recipeYield ? [/^\d+$/.test(recipeYield) ? `Serves ${recipeYield}` : `Makes ${recipeYield}`] : [];
  for (const [name, duration] of [["Prep", prepTime], ["Cook", cookTime], ["Total", totalTime]]) {
    if (duration) facts.push(`${name} ${spoken(duration)}`);
  }
  return facts;
}

const lineOf = ({ number, text, section, matches }) => ({ number, text, section, matches });

function stepsOf(instructions, section = "") {
  return instructions.flatMap((each) =>
    each["@type"] === "HowToSection" ? stepsOf(each.itemListElement, each.name) : [{ text: each.text, section }],
  );
}

function was(old, text) {
  const first = old.was ?? old.text;
  return first === text ? undefined : first;
}

function withoutRepeats(notes) {
  return [...new Map(notes.map((note) => [`${note.step} ${note.text}`, note])).values()];
}

// "PT1H30M" -> "1 h 30 min"
function spoken(duration) {
  const [, days, hours, minutes] = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?)?/.exec(duration) ?? [];
  return [[days, "d"], [hours, "h"], [minutes, "min"]].flatMap(([n, unit]) => (n ? [`${n} ${unit}`] : [])).join(" ");
}
