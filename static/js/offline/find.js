// @ts-check
/** Search in what is kept: a number first, then card names and words, folded as on the server. */

import { squeeze } from "./fold.js";
import { holds, waysOf } from "./names.js";

/** @typedef {import("./db.js").Kept} Kept */
/** @typedef {{entry: Kept, score: number}} Found */

const NUMBER = /^(\d{1,4})(?:\.(\d{1,3})([a-z]{0,2}))?$/;
const ENOUGH = 0.6; // share of a question's letter pairs that an entry must hold

/** @param {string} query @returns {string} the canonical number in `query`, "" when it is none */
export function numberIn(query) {
  const plain = query.normalize("NFKC").trim().toLowerCase().replace(/\s+/g, "").replace(/(?<=\d)[-‐‑–—−ー・,、。．](?=\d)/g, ".").replace(/[.。、]+$/, "").replace(/(?<=\d)\.(?=[a-z]{1,2}$)/, "");
  const found = NUMBER.exec(plain);
  return found ? found[1] + (found[2] ? `.${found[2]}${found[3]}` : "") : "";
}

/** @param {string} text */
function pairs(text) {
  const letters = [...text];
  return new Set(letters.length < 2 ? letters : letters.slice(1).map((letter, at) => letters[at] + letter));
}

/**
 * @param {Kept[]} entries
 * @param {string} query
 * @param {import("./names.js").Names[]} names
 * @returns {Found[]} the best first
 */
export function find(entries, query, names) {
  const number = numberIn(query);
  const words = query.split(/[\s　]+/).map((word) => squeeze(word).text).filter(Boolean);
  const ways = words.map((word) => waysOf(word, names));
  const wanted = pairs(squeeze(query).text);
  /** @type {Found[]} */
  const found = [];
  if (!words.length) return found;
  for (const entry of entries) {
    const live = entry.status === "current" || entry.status === "needs_review" ? 1 : 0.3;
    let score = 0;
    if (number && entry.number === number) score = 100;
    else if (number && entry.number.startsWith(`${number}`)) score = 50 - entry.number.length;
    if (words.every((word) => entry.key.includes(word))) {
      score += 12 + (words.every((word) => squeeze(entry.title).text.includes(word)) ? 5 : 0);
    } else if (ways.every((way) => holds(way, entry))) {
      score += 9; // in other words, or by another name of the card
    } else if (!number) {
      let held = 0;
      for (const pair of wanted) if (entry.key.includes(pair)) held++;
      const share = held / wanted.size;
      if (share >= ENOUGH) score += 8 * share;
    }
    if (score) found.push({ entry, score: score * live });
  }
  return found.sort((one, other) => other.score - one.score || one.entry.number.localeCompare(other.entry.number, "en", { numeric: true }) || one.entry.id - other.entry.id);
}
