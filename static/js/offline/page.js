// @ts-check
/** The offline page: choose what is kept, see when it was last brought up to date, search in it. */

import * as db from "./db.js";
import { find } from "./find.js";
import { save } from "../store.js";
import { Interrupted, StorageFull, forget, keep, update } from "./sync.js";

/** @typedef {import("./db.js").Kept} Kept */
/** @typedef {import("./db.js").Shelf} Shelf */

const SHOWN = 50;
const root = /** @type {HTMLElement} */ (document.getElementById("offline-page"));
const texts = /** @type {Record<string, string>} */ (root.dataset);
const box = /** @type {HTMLInputElement} */ (document.getElementById("offline-q"));
const results = /** @type {HTMLElement} */ (document.getElementById("offline-results"));
const status = /** @type {HTMLElement} */ (document.getElementById("offline-status"));

/** @param {string | null} time an ISO time */
function readable(time) {
  return time ? new Date(time).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" }) : "";
}

/** @param {string} name @param {string} className @param {string} [text] */
function element(name, className, text = "") {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}

async function drawShelves() {
  const kept = new Map((await db.shelves()).map((shelf) => [shelf.slug, shelf]));
  for (const row of root.querySelectorAll("[data-slug]")) {
    const shelf = kept.get(/** @type {HTMLElement} */ (row).dataset.slug ?? "");
    const state = /** @type {HTMLElement} */ (row.querySelector(".shelf-state"));
    if (!shelf) state.textContent = texts.absent;
    else if (shelf.complete) state.textContent = `${texts.synced} ${readable(shelf.syncedAt)}（${shelf.count}${texts.entries}）`;
    else state.textContent = `${texts.half}（${shelf.count}${texts.entries}）`;
    /** @type {HTMLElement} */ (row.querySelector("[data-keep]")).textContent = (shelf?.complete ? texts.refresh : shelf ? texts.resume : texts.keep) ?? "";
    /** @type {HTMLElement} */ (row.querySelector("[data-drop]")).hidden = !shelf;
  }
  const times = [...kept.values()].map((shelf) => shelf.syncedAt).filter(Boolean).sort();
  /** @type {HTMLElement} */ (document.getElementById("offline-synced")).textContent = times.length ? `${texts.synced} ${readable(times[0])}` : (texts.never ?? "");
}

/** @param {unknown} error */
function excuse(error) {
  if (error instanceof StorageFull) return texts.full ?? "";
  if (error instanceof Interrupted) return texts.interrupted ?? "";
  return `${texts.failed} ${error instanceof Error ? error.name : ""}`;
}

/** @param {() => Promise<string>} work */
async function working(work) {
  root.setAttribute("aria-busy", "true");
  for (const button of root.querySelectorAll("button")) button.disabled = true;
  try {
    status.textContent = await work();
  } catch (error) {
    status.textContent = excuse(error);
  }
  for (const button of root.querySelectorAll("button")) button.disabled = false;
  root.removeAttribute("aria-busy");
  await drawShelves();
  await show();
}

/** @param {HTMLElement} row */
async function keepRow(row) {
  const { slug = "", name = "", authority = "" } = row.dataset;
  await navigator.storage?.persist?.();
  await keep({ slug, name, authority }, (count) => {
    status.textContent = `${name}：${count}${texts.entries}`;
  });
  save("synced", Date.now());
  return `${name}：${texts.kept}`;
}

/** @param {Kept} entry @param {Map<string, Shelf>} shelves */
function drawn(entry, shelves) {
  const item = element("li", `hit hit-${shelves.get(entry.ruleset)?.authority ?? ""}`);
  item.lang = "ja";
  const meta = element("p", "hit-meta", `${shelves.get(entry.ruleset)?.name ?? entry.ruleset} `);
  const authority = shelves.get(entry.ruleset)?.authority ?? "";
  meta.append(element("span", `authority authority-${authority}`, texts[`authority${authority}`] ?? authority));
  if (entry.status !== "current") meta.append(element("span", `status status-${entry.status}`, texts[`status${entry.status}`] ?? entry.status));
  if (entry.effective_on) meta.append(element("span", "", entry.effective_on));
  const title = element("h2", "hit-title");
  const link = /** @type {HTMLAnchorElement} */ (element("a", ""));
  link.href = entry.path;
  if (/^\d/.test(entry.number)) link.append(element("span", "number", entry.number), " ");
  link.append(entry.title || entry.cards.map((card) => `《${card.name}》`).join(" × "));
  title.append(link);
  const answer = element("div", "hit-answer");
  if (entry.verdict === "yes" || entry.verdict === "no") answer.append(element("span", `verdict verdict-${entry.verdict}`, texts[entry.verdict]));
  answer.append(element("p", "hit-text", entry.body));
  item.append(meta, title, answer);
  return item;
}

let shown = 0; // of two searches under way the later one is drawn

async function show() {
  const mine = ++shown;
  const shelves = new Map((await db.shelves()).map((shelf) => [shelf.slug, shelf]));
  const query = box.value.trim();
  const here = decodeURIComponent(location.pathname);
  const all = query || here !== "/offline/" ? await db.entries() : [];
  const found = query ? find(all, query, await db.names()).map((each) => each.entry) : all.filter((entry) => decodeURIComponent(entry.path) === here);
  if (mine !== shown) return;
  const empty = query || (here !== "/offline/" && here !== "/" && here !== "/search/");
  results.replaceChildren(...found.slice(0, SHOWN).map((entry) => drawn(entry, shelves)));
  /** @type {HTMLElement} */ (document.getElementById("offline-count")).textContent = query ? `${found.length}${texts.entries}` : !found.length && empty ? (texts.nothing ?? "") : "";
  results.dataset.query = query; // whose results these are
}

root.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("button") : null;
  const row = /** @type {HTMLElement | null} */ (button?.closest("[data-slug]"));
  if (row && button?.dataset.keep !== undefined) working(() => keepRow(row));
  else if (row && button?.dataset.drop !== undefined) working(async () => { await forget(row.dataset.slug ?? ""); return texts.dropped ?? ""; });
  else if (button?.dataset.update !== undefined) working(async () => {
    const count = await update();
    save("synced", Date.now());
    return `${texts.updated} ${count}${texts.entries}`;
  });
});
box.addEventListener("input", show);
box.form?.addEventListener("submit", (event) => { event.preventDefault(); show(); });

const asked = new URLSearchParams(location.search).get("q");
if (asked) box.value = asked;
const line = /** @type {HTMLElement} */ (document.getElementById("offline-line"));
const network = () => { line.hidden = navigator.onLine && location.pathname === "/offline/"; };
addEventListener("online", network);
addEventListener("offline", network);
network();
drawShelves().then(show, (error) => { status.textContent = excuse(error); });
