// @ts-check
/** 裁定メモ: what was looked up today, kept on this device only, exportable as text. */

import { copied } from "./copy.js";
import { say } from "./say.js";
import { load, save } from "./store.js";

/** @typedef {{url: string, title: string, text: string, at: string, note?: string}} Memo */

/** @returns {Memo[]} */
const memos = () => load("memo", /** @type {Memo[]} */ ([]));

/** @param {Memo[]} kept */
function exported(kept) {
  return kept.map((each) => [each.at.slice(0, 16).replace("T", " "), each.text, each.note ? `※ ${each.note}` : ""].filter(Boolean).join("\n")).join("\n\n――――\n\n");
}

/** @param {HTMLElement} button */
function draw(button) {
  const isKept = memos().some((each) => each.url === button.dataset.memo);
  button.setAttribute("aria-pressed", String(isKept));
  const label = button.querySelector("[data-label]");
  if (label) label.textContent = (isKept ? button.dataset.kept : button.dataset.keep) ?? "";
}

/** @param {HTMLElement} button */
function toggle(button) {
  const url = button.dataset.memo ?? "";
  const kept = memos();
  const rest = kept.filter((each) => each.url !== url);
  if (rest.length === kept.length) {
    const text = document.getElementById(button.dataset.text ?? "")?.textContent?.trim() ?? "";
    rest.push({ url, title: button.dataset.title ?? "", text, at: localTime() });
  }
  if (!save("memo", rest)) say(button.dataset.failed ?? "");
  draw(button);
}

/** @returns {string} the local time as YYYY-MM-DDTHH:MM:SS */
function localTime() {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

/** @param {HTMLElement} page */
function drawPage(page) {
  const kept = memos();
  const list = /** @type {HTMLElement} */ (page.querySelector("[data-memos]"));
  const pattern = /** @type {HTMLTemplateElement} */ (page.querySelector("template"));
  list.replaceChildren(...kept.map((each, number) => {
    const item = /** @type {DocumentFragment} */ (pattern.content.cloneNode(true));
    const link = /** @type {HTMLAnchorElement} */ (item.querySelector("a"));
    link.href = each.url.startsWith("/") && !each.url.startsWith("//") ? each.url : "/";
    link.textContent = each.title;
    /** @type {HTMLElement} */ (item.querySelector(".memo-text")).textContent = each.text;
    const time = /** @type {HTMLTimeElement} */ (item.querySelector("time"));
    time.dateTime = each.at;
    time.textContent = each.at.slice(0, 16).replace("T", " ");
    const note = /** @type {HTMLInputElement} */ (item.querySelector("input"));
    note.value = each.note ?? "";
    note.id = `note-${number}`;
    /** @type {HTMLLabelElement} */ (item.querySelector("label")).htmlFor = note.id;
    note.addEventListener("change", () => save("memo", memos().map((other) => (other.url === each.url ? { ...other, note: note.value } : other))));
    /** @type {HTMLElement} */ (item.querySelector("[data-remove]")).addEventListener("click", () => {
      save("memo", memos().filter((other) => other.url !== each.url));
      drawPage(page);
    });
    return item;
  }));
  for (const part of page.querySelectorAll("[data-when]")) {
    /** @type {HTMLElement} */ (part).hidden = (/** @type {HTMLElement} */ (part).dataset.when === "some") !== kept.length > 0;
  }
}

/** @param {HTMLElement} page */
function startPage(page) {
  drawPage(page);
  page.querySelector("[data-copy-all]")?.addEventListener("click", async (event) => {
    const { done, failed } = /** @type {HTMLElement} */ (event.currentTarget).dataset;
    say((await copied(exported(memos()))) ? (done ?? "") : (failed ?? ""));
  });
  page.querySelector("[data-save-all]")?.addEventListener("click", () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([exported(memos())], { type: "text/plain" }));
    link.download = `memo-${localTime().slice(0, 10)}.txt`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
  page.querySelector("[data-clear-all]")?.addEventListener("click", (event) => {
    if (confirm(/** @type {HTMLElement} */ (event.currentTarget).dataset.sure)) {
      save("memo", []);
      drawPage(page);
    }
  });
}

export function start() {
  for (const button of document.querySelectorAll("[data-memo]")) draw(/** @type {HTMLElement} */ (button));
  document.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("[data-memo]") : null;
    if (button instanceof HTMLElement) toggle(button);
  });
  const page = document.getElementById("memo-page");
  if (page) startPage(page);
}
