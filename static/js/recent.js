// @ts-check
/** Recent look-ups, on this device only. */

import { load, save } from "./store.js";

const MOST = 8;

/** @returns {string[]} the newest first */
export function recent() {
  return load("recent", /** @type {string[]} */ ([]));
}

/** @param {string} query */
export function remember(query) {
  const text = query.trim();
  if (text) save("recent", [text, ...recent().filter((each) => each !== text)].slice(0, MOST));
}

export function forget() {
  save("recent", []);
}
