// @ts-check
/**
 * Fill and follow the kept rulesets: a whole export first, then the change log.
 * What was fetched half stays marked as half; repeating is always safe, since an entry replaces itself.
 */

import * as db from "./db.js";
import { squeeze } from "./fold.js";

/** @typedef {import("./db.js").Kept} Kept */
/** @typedef {import("./db.js").Shelf} Shelf */
/** @typedef {{slug: string, name: string, authority: string}} Ruleset */

const API = "/api/v1/";
const BATCH = 200;
const MOST_SINGLE = 300; // changed entries up to which each is fetched alone
const TOGETHER = 4;

export class StorageFull extends Error {}
export class Interrupted extends Error {}

/**
 * @param {any} entry an entry of the API
 * @returns {Kept}
 */
function keptFrom(entry) {
  const { id, kind, ruleset, number, title, body, verdict, status, effective_on } = entry;
  const cards = entry.cards.map((/** @type {any} */ card) => ({ id: card.id, name: card.name }));
  const examples = (entry.examples ?? []).map((/** @type {any} */ example) => example.text);
  const names = cards.map((/** @type {any} */ card) => card.name);
  const path = kind === "section" ? `/${ruleset}/${encodeURIComponent(number)}/` : `/${kind === "faq" ? "faq" : "interactions"}/${id}/`;
  const key = [title, body, ...examples, ...names].map((text) => squeeze(text).text).join("\n");
  return { id, kind, ruleset, number, title, body: [body, ...examples].join("\n"), verdict, status, effective_on, cards, key, path };
}

/** @param {unknown} error */
function translated(error) {
  if (error instanceof StorageFull || error instanceof Interrupted) return error;
  const name = error instanceof Error || error instanceof DOMException ? error.name : "";
  return name === "QuotaExceededError" ? new StorageFull(String(error)) : new Interrupted(String(error));
}

/** @param {string} address */
async function get(address) {
  const answer = await fetch(address, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw Object.assign(new Interrupted(`${answer.status} ${address}`), { status: answer.status });
  return answer;
}

/**
 * The lines of a stream of text as they arrive.
 * @param {Response} answer
 */
async function* lines(answer) {
  const reader = /** @type {ReadableStream<Uint8Array>} */ (answer.body).getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    rest += decoder.decode(value, { stream: !done });
    const parts = rest.split("\n");
    rest = parts.pop() ?? "";
    yield* parts.filter(Boolean);
    if (done) break;
  }
  if (rest) throw new Interrupted("the export ends within a line");
}

/** Fetch the names and players' words of a ruleset; an unchanged list costs a 304. @param {string} slug */
async function keepNames(slug) {
  const list = await (await get(`/offline/${slug}.json`)).json();
  await db.putNames({ slug, ...list });
}

/**
 * Fetch a whole ruleset.
 * @param {Ruleset} ruleset
 * @param {(count: number) => void} progress
 */
export async function keep(ruleset, progress) {
  const before = (await db.shelves()).find((shelf) => shelf.slug === ruleset.slug);
  try {
    const answer = await fetch(`${API}exports/${ruleset.slug}/`, { headers: { Accept: "application/x-ndjson" } });
    if (!answer.ok) throw new Interrupted(`${answer.status}`);
    const since = Number(answer.headers.get("X-Change-Number"));
    const mark = answer.headers.get("X-Change-Mark") ?? "";
    /** @type {Shelf} */
    const shelf = { ...ruleset, complete: false, since: before?.since ?? 0, mark: before?.mark ?? "", count: 0, syncedAt: before?.syncedAt ?? null };
    await db.put([], [before?.complete ? before : shelf]);
    /** @type {Kept[]} */
    let batch = [];
    let count = 0;
    for await (const line of lines(answer)) {
      batch.push(keptFrom(JSON.parse(line)));
      count++;
      if (batch.length === BATCH) {
        await db.put(batch, before?.complete ? [] : [{ ...shelf, count }]);
        batch = [];
        progress(count);
      }
    }
    await keepNames(ruleset.slug);
    await db.put(batch, [{ ...shelf, complete: true, since, mark, count, syncedAt: new Date().toISOString() }]);
    progress(count);
  } catch (error) {
    const reason = translated(error);
    if (reason instanceof StorageFull && !before?.complete) await db.drop(ruleset.slug); // give the room back
    throw reason;
  }
}

/**
 * Follow the change log from the oldest number that a shelf holds.
 * @returns {Promise<number>} how many entries were fetched
 */
export async function update() {
  const kept = (await db.shelves()).filter((shelf) => shelf.complete);
  if (!kept.length) return 0;
  try {
    return await follow(kept);
  } catch (error) {
    if (/** @type {any} */ (error).status !== 410) throw translated(error);
  }
  let count = 0; // the numbers belong to another database: take everything anew
  for (const shelf of kept) {
    await db.drop(shelf.slug);
    await keep(shelf, () => {});
    count++;
  }
  return count;
}

/** @param {Shelf[]} kept */
async function follow(kept) {
  const oldest = kept.reduce((one, other) => (other.since < one.since ? other : one));
  /** @type {Set<number>} */
  const changed = new Set();
  let { since: latest, mark } = oldest;
  /** @type {string | null} */
  let next = `${API}changes/?since=${latest}&mark=${encodeURIComponent(mark)}&page_size=100`;
  while (next && changed.size <= MOST_SINGLE) {
    const page = /** @type {any} */ (await (await get(next)).json());
    for (const change of page.results) if (change.kind !== "card") changed.add(change.id);
    ({ latest, mark } = page);
    next = page.next && new URL(page.next).pathname + new URL(page.next).search;
  }
  if (changed.size > MOST_SINGLE) {
    for (const shelf of kept) await keep(shelf, () => {});
    return changed.size;
  }
  const slugs = new Set(kept.map((shelf) => shelf.slug));
  const ids = [...changed];
  /** @type {Kept[]} */
  const rows = [];
  for (let at = 0; at < ids.length; at += TOGETHER) {
    const answers = await Promise.all(ids.slice(at, at + TOGETHER).map(async (id) => (await get(`${API}entries/${id}/`)).json()));
    rows.push(...answers.filter((entry) => slugs.has(entry.ruleset)).map(keptFrom));
  }
  for (const slug of slugs) await keepNames(slug);
  const known = new Map((await db.entries()).map((entry) => [entry.id, entry]));
  const syncedAt = new Date().toISOString();
  const states = kept.map((shelf) => {
    const added = rows.filter((row) => row.ruleset === shelf.slug && !known.has(row.id)).length;
    return { ...shelf, since: latest, mark, count: shelf.count + added, syncedAt };
  });
  await db.put(rows, states);
  return rows.length;
}

/** Forget a ruleset. @param {string} slug */
export const forget = (slug) => db.drop(slug);
