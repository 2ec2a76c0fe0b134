// @ts-check
/** Everything that scripts add to a page. Each part works alone; without any the page is whole. */

import * as contents from "./contents.js";
import * as copy from "./copy.js";
import * as display from "./display.js";
import * as keys from "./keys.js";
import * as live from "./live.js";
import * as memo from "./memo.js";
import * as preview from "./preview.js";
import { remember } from "./recent.js";
import { load, save } from "./store.js";
import * as suggest from "./suggest.js";

// `live` last: it keeps a popstate from htmx, and with that from everything that listens after it.
for (const part of [suggest, keys, preview, contents, copy, memo, display, live]) part.start();

const box = /** @type {HTMLInputElement | null} */ (document.querySelector("#q"));
if (box?.defaultValue) remember(box.defaultValue);
document.addEventListener("click", (event) => {
  if (event.target instanceof Element && event.target.closest("#results a") && box) remember(box.value);
});

if ("serviceWorker" in navigator && window.isSecureContext) navigator.serviceWorker.register("/sw.js");

const HALF_DAY_MS = 12 * 60 * 60 * 1000;
let following = false;

/** What is kept for the time without a network follows by itself; a failure is told on the offline page. */
async function follow() {
  if (following || !navigator.onLine || load("synced", Infinity) > Date.now() - HALF_DAY_MS) return;
  following = true;
  try {
    const { update } = await import("./offline/sync.js");
    await update();
    save("synced", Date.now());
  } catch {
    // the date of the last sync is shown where it is searched; the next page tries again
  }
  following = false;
}
follow();
// A page that stays open all day asks again when the reader comes back to it.
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && follow());
