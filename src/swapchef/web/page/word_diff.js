// What changed between two texts, word by word.
// The longest common run of words stays; what is only in the old text and what is only in the new one stand around it.
// Of two changes at one place the old stands first.

// Returns [{ kind: "same" | "old" | "new", text }]; between two of them belongs a space.
export function wordDiff(old, now) {
  const before = old.split(/\s+/);
  const after = now.split(/\s+/);
  const common = longestCommon(before, after);
  const runs = [];
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    if (i < before.length && before[i] === after[j]) {
      add(runs, "same", after[j++]);
      i++;
    } else if (j >= after.length || (i < before.length && common[i + 1][j] >= common[i][j + 1])) {
      add(runs, "old", before[i++]);
    } else {
      add(runs, "new", after[j++]);
    }
  }
  return runs;
}

function add(runs, kind, word) {
  const last = runs.at(-1);
  if (last?.kind === kind) last.text += ` ${word}`;
  else runs.push({ kind, text: word });
}

// common[i][j] is how many words before[i..] and after[j..] share in order.
function longestCommon(before, after) {
  const common = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      common[i][j] = before[i] === after[j]
        ? common[i + 1][j + 1] + 1
        : Math.max(common[i + 1][j], common[i][j + 1]);
    }
  }
  return common;
}
