// The server's API, one function for each call; all of them give plain objects or throw a `Trouble`.
// A `Trouble` is one sentence for the cook: the server's own, or ours where no answer came.
// A server that is busy says when to come back, and is asked again then, twice at most.

const BASE = "api/v1/";
const PATIENCE = { tries: 3, longest: 5 }; // seconds between two tries
// A page opened with `?ranker=gismo` asks that one instead of ours.
const ASKED = new URLSearchParams(location.search).get("ranker");
const RANKER = ASKED ? `?${new URLSearchParams({ ranker: ASKED })}` : "";
const SILENT = "swapchef does not answer. Check that it is still running, then try again.";
const UNCLEAR = "Something went wrong on the server. Try again in a moment.";

export class Trouble extends Error {
  constructor(sentence, mayPass) {
    super(sentence);
    this.mayPass = mayPass; // whether asking again may help
  }
}

export const settings = () => ask("settings");
export const diets = () => ask("diets").then((answer) => answer.diets);
export const ingredients = (words, signal) =>
  ask(`ingredients?${new URLSearchParams({ q: words, limit: 8 })}`, { signal }).then((answer) => answer.ingredients);

export const parseText = (text) => post("recipes/parse", { text });
export const parseAddress = (url) => post("recipes/parse", { url });
export const parseFile = (file) =>
  ask(`recipes/parse?${new URLSearchParams({ filename: file.name })}`, {
    method: "POST",
    headers: { "Content-Type": "application/octet-stream" }, // even for JSON, which would be read as a request
    body: file,
  });

export const suggest = (recipe, ingredient, wishes, signal) =>
  post(`suggest${RANKER}`, { recipe, ingredients: [ingredient], top: 5, wishes }, signal).then((answer) => answer.answers[0]);
export const swap = (recipe, swaps, wishes) => post(`swap${RANKER}`, { recipe, swaps, wishes });
// Throws if the server does not understand some wishes; what it would suggest under them does not matter here.
export const understand = (wishes) => post("suggest", { ingredients: ["salt"], top: 1, wishes });
export const check = (recipe, wishes, signal) => post(`check${RANKER}`, { recipe, wishes }, signal);
export const write = (recipe, format) => post("recipes/write", { recipe, format });
// `edits` are what the cook changed in the dish; the type is left to the server, which knows photos by their first bytes.
export function cook(photo, { add, remove, swaps }, { diet, avoid }, signal) {
  const lists = { swap: swaps.map(({ source }) => source), with: swaps.map(({ target }) => target), add, remove, diet, avoid };
  const asked = Object.entries(lists).flatMap(([name, values]) => values.map((value) => [name, value]));
  const headers = { "Content-Type": "application/octet-stream" };
  return ask(`cook?${new URLSearchParams(asked)}`, { method: "POST", headers, body: photo, signal });
}
export const feedback = (choice) => post("feedback", choice);

function post(path, content, signal) {
  return ask(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(content),
    signal,
  });
}

async function ask(path, options = {}) {
  for (let tries = 1; ; tries++) {
    const response = await answered(fetch(BASE + path, options));
    if (response.ok) return response.status === 204 ? null : answered(response.json());
    if (response.status !== 503 || tries === PATIENCE.tries) throw await troubleOf(response);
    await pause(Math.min(Number(response.headers.get("Retry-After") ?? 1) || 0, PATIENCE.longest));
    options.signal?.throwIfAborted();
  }
}

// A request that breaks off is trouble, unless it was this page that broke it off.
async function answered(promise) {
  try {
    return await promise;
  } catch (error) {
    throw error.name === "AbortError" ? error : new Trouble(SILENT, true);
  }
}

async function troubleOf(response) {
  const problem = await response.json().catch(() => ({}));
  return new Trouble(problem.detail || UNCLEAR, response.status >= 500);
}

const pause = (seconds) => new Promise((resume) => setTimeout(resume, seconds * 1000));
