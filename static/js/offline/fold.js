// @ts-check
/** The fold of `rulings/text/fold.py`, step by step the same; a test compares both on thousands of strings. */

import { CASEFOLD, COMBINING, DASHES, DROPPED, ONE_TO_ONE, TILDES, VOICING, VU_ROW } from "./tables.js";

const LONG = "ー";
const MAYBE_LONG = "‐";
const VANISHING = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
const SPACE = /^[\p{White_Space}\p{Cc}]$/u;
const LETTER = /^[\p{L}\p{N}]$/u;
const DIGIT = /^\p{Nd}$/u;
const voicing = /** @type {Record<string, string>} */ (VOICING);
const oneToOne = /** @type {Record<string, string>} */ (ONE_TO_ONE);
const casefold = /** @type {Record<string, string>} */ (CASEFOLD);
const vuRow = /** @type {Record<string, string>} */ (VU_ROW);

/** @typedef {{text: string, chars: string[], starts: number[], ends: number[]}} Folded */

/** @param {string} char */
function isCombining(char) {
  const point = /** @type {number} */ (char.codePointAt(0));
  let low = 0;
  let high = COMBINING.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (point < COMBINING[middle][0]) high = middle - 1;
    else if (point > COMBINING[middle][1]) low = middle + 1;
    else return true;
  }
  return false;
}

/** @param {string} text */
const lowered = (text) => [...text].map((char) => casefold[char] ?? char.toLowerCase()).join("");

/** @param {string} char */
function unmarked(char) {
  let one = char;
  if (one >= "ぁ" && one <= "ゖ") one = String.fromCharCode(one.charCodeAt(0) + 0x60);
  if (DROPPED.includes(one) || VANISHING.test(one)) return "";
  if (SPACE.test(one)) return " ";
  if (TILDES.includes(one)) return "~";
  if (one.length === 1 && one >= "à" && one <= "ɏ") one = [...one.normalize("NFKD")].filter((each) => !isCombining(each)).join("");
  return [...one].map((each) => oneToOne[each] ?? each).join("");
}

/** @type {Map<string, string>} */
const plainOf = new Map();

/** @param {string} cluster */
function plain(cluster) {
  const known = plainOf.get(cluster);
  if (known !== undefined) return known;
  let text = cluster;
  for (let round = 0; round < 3; round++) {
    const before = text;
    text = [...lowered(text.normalize("NFKC"))].map(unmarked).join("");
    if (text === before) break;
  }
  if (plainOf.size < 20_000) plainOf.set(cluster, text);
  return text;
}

/** @param {string | undefined} char */
const isKana = (char) => char !== undefined && ((char >= "ァ" && char <= "ヺ") || char === LONG);
/** @param {string | undefined} char */
const isLatin = (char) => char !== undefined && /^[0-9A-Za-z]$/.test(char);
/** @param {string} char */
const isDash = (char) => DASHES.includes(char);

/**
 * @param {string} char
 * @param {string | undefined} last
 */
function inContext(char, last) {
  if (char === "々" && last) return last;
  if (isDash(char) && isKana(last)) return char === LONG ? LONG : MAYBE_LONG;
  return isDash(char) && char !== LONG ? "-" : char;
}

/**
 * Fold a text, keeping punctuation and offsets (in UTF-16 units).
 * @param {string} text
 * @returns {Folded}
 */
export function fold(text) {
  const letters = [...text];
  /** @type {string[]} */
  const chars = [];
  /** @type {number[]} */
  const starts = [];
  /** @type {number[]} */
  const ends = [];
  /** @type {[number, number] | null} */
  let space = null;
  let offset = 0;

  /** @type {(char: string, start: number, end: number) => void} */
  const append = (char, start, end) => { chars.push(char); starts.push(start); ends.push(end); };
  for (let at = 0; at < letters.length;) {
    let cluster = letters[at++];
    const start = offset;
    offset += cluster.length;
    while (at < letters.length && (letters[at] in voicing || isCombining(letters[at]))) {
      cluster += voicing[letters[at]] ?? letters[at];
      offset += letters[at++].length;
    }
    for (const char of plain(cluster)) {
      const last = chars.at(-1);
      if (char === " ") {
        space ??= [start, offset];
        continue;
      }
      if (last === "ヴ" && char in vuRow) {
        chars[chars.length - 1] = vuRow[char];
        ends[ends.length - 1] = offset;
      } else if ((last === LONG || last === MAYBE_LONG) && isDash(char)) {
        chars[chars.length - 1] = LONG;
        ends[ends.length - 1] = offset;
      } else {
        if (space && isLatin(last) && isLatin(char)) append(" ", ...space);
        append(inContext(char, last), start, offset);
      }
      space = null;
    }
  }
  chars.forEach((char, at) => {
    if (char === MAYBE_LONG) chars[at] = DIGIT.test(chars[at + 1] ?? "") ? "-" : LONG;
    else if (char === "ヴ") chars[at] = "ブ";
  });
  return { text: chars.join(""), chars, starts, ends };
}

/**
 * Fold a text to its letters and digits; a stop or dash stays between digits (805.4a).
 * @param {string} text
 * @returns {Folded}
 */
export function squeeze(text) {
  const { chars, starts, ends } = fold(text);
  const kept = chars.map((_char, at) => at).filter((at) => {
    const char = chars[at];
    const between = (char === "." || char === "-") && DIGIT.test(chars[at - 1] ?? "") && DIGIT.test(chars[at + 1] ?? "");
    return LETTER.test(char) || char === LONG || between;
  });
  const letters = kept.map((at) => chars[at]);
  return { text: letters.join(""), chars: letters, starts: kept.map((at) => starts[at]), ends: kept.map((at) => ends[at]) };
}
