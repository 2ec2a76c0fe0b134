// @ts-check
/**
 * Other names of cards (readings, faces, nicknames) and the words that players say for those of the rules, as the
 * server's search knows them. A word of a query becomes all its ways to stand in an entry.
 */

/** @typedef {[string, number, string[]]} Word folded key; 1 where it counts inside other words; what the rules say */
/** @typedef {{slug: string, cards: [number, ...string[]][], words: Word[]}} Names */
/** @typedef {{texts: string[][], cards: Set<number>}} Ways each text: parts that must all stand there */

const MOST = 40; // ways of one word
const LEAST = 2; // letters of a part of a name

/** @param {string} char the script of a folded letter: a short word must not begin or end inside another */
function script(char) {
  if (!char) return "";
  if (char >= "ァ" && char <= "ヿ") return "kana";
  if (/[a-z]/.test(char)) return "latin";
  return /\p{Nd}/u.test(char) ? "digit" : "kanji";
}

/** @param {string} text @param {number} start @param {number} end */
function standsAlone(text, start, end) {
  return script(text[start - 1] ?? "") !== script(text[start]) && script(text[end] ?? "") !== script(text[end - 1]);
}

/** @param {string} word folded @param {Names[]} lists @returns {Ways} */
export function waysOf(word, lists) {
  const texts = [[word]];
  /** @type {Set<number>} */
  const cards = new Set();
  for (const { words, cards: names } of lists) {
    for (const [key, inside, said] of words) {
      const at = word.indexOf(key);
      if (at < 0 || !(inside || word === key || standsAlone(word, at, at + key.length))) continue;
      for (const way of said) {
        const rest = [word.slice(0, at), word.slice(at + key.length)];
        const parts = [...way.split(" "), ...(word === key ? [] : rest.filter((part) => part.length > 1))];
        if (texts.length < MOST) texts.push(parts);
      }
    }
    if (word.length >= LEAST) {
      for (const [id, ...keys] of names) if (keys.some((key) => key.includes(word))) cards.add(id);
    }
  }
  return { texts, cards };
}

/** @param {Ways} ways @param {import("./db.js").Kept} entry */
export function holds(ways, entry) {
  return ways.texts.some((parts) => parts.every((part) => entry.key.includes(part))) || entry.cards.some((card) => ways.cards.has(card.id));
}
